import { KEY_NAME_MAX, type ListedKey } from '@svc/contract';
import {
  Choices,
  Done,
  type FormProblem,
  LineEntry,
  Mode,
  ProblemSummary,
  Submit,
  told,
} from '../../parts/form.tsx';
import { Day, Text, Time } from '../../parts/values.tsx';
import type { Page, Site } from '../../site.ts';
import { accountFrame, ConfirmForm, OwnCards, ShownOnce } from './frame.tsx';

interface KeysData {
  /** absent after the session ended, or if the keys cannot be read */
  keys: readonly ListedKey[] | undefined;
  made?: { name: string; value: string } | undefined;
  revoked?: boolean;
  typed?: { name: string; scope: string } | undefined;
  problem?: FormProblem | undefined;
}

const NAMES = {
  name: { subject: 'The name', missing: 'Give the key a name' },
  scope: { subject: 'What it may do', missing: 'Choose what it may do' },
};

export function keysPage(site: Site, { keys, made, revoked, typed, problem: refused }: KeysData): Page {
  const problem = told(refused, NAMES);
  const active = keys?.filter((key) => key.revoked_at === null);
  const gone = (keys ?? []).filter((key) => key.revoked_at !== null);
  return accountFrame(
    site,
    '/account/keys',
    { title: 'API keys', failed: problem !== undefined, islands: ['copy.js', 'compose.js'] },
    <>
      {revoked && <Done>The key is revoked and no longer works.</Done>}
      {made && (
        <ShownOnce
          title={
            <>
              Your new key: <Text>{made.name}</Text>
            </>
          }
          value={made.value}
          copy="API key"
        >
          , and we cannot show it again. Anyone who has it can act as you.
        </ShownOnce>
      )}
      <ProblemSummary problem={problem} />
      <p>
        Your programs use a key to act as your account. We store only a hash of the key, so you see its value
        once, when you make it. <a href="/docs">How to use one</a>
      </p>
      <OwnCards items={active} empty="You have no active key." heading="Active keys">
        {(key) => <Active item={key} />}
      </OwnCards>
      <section>
        <h2>Make a key</h2>
        <form method="post" action="/account/keys" noValidate data-compose="">
          <LineEntry
            name="name"
            label="Name"
            hint={`So that you recognize it later; at most ${KEY_NAME_MAX} characters.`}
            value={typed?.name ?? ''}
            problem={problem}
          />
          <Choices name="scope" legend="What it may do">
            <Mode name="scope" value="read" checked={typed?.scope !== 'write'} title="Read">
              Your feed, your follows, your limits. It cannot write.
            </Mode>
            <Mode name="scope" value="write" checked={typed?.scope === 'write'} title="Write">
              Everything you can do here: etch, retract, make further keys.
            </Mode>
          </Choices>
          <Submit>Make the key</Submit>
        </form>
      </section>
      {gone.length > 0 && (
        <section>
          <h2>Revoked</h2>
          <p class="quiet">They stay listed, so that you can tell what was used when.</p>
          <ul class="plain-list">
            {gone.map((key) => (
              <li>
                <strong>
                  <Text>{key.name}</Text>
                </strong>{' '}
                <code>{key.prefix}…</code>{' '}
                <span class="quiet">
                  revoked on <Time at={key.revoked_at!} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>,
  );
}

function Active({ item: key }: { item: ListedKey }) {
  return (
    <>
      <h3>
        <Text>{key.name}</Text> <span class="badge">{scopeText(key)}</span>
      </h3>
      <p class="quiet">
        <code>{key.prefix}…</code> · made on <Day at={key.created_at} /> · <LastUse of={key} />
      </p>
      <p>
        <a class="button secondary" href={`/account/keys/${key.id}/revoke`}>
          Revoke<span class="visually-hidden"> the key {key.name}</span>…
        </a>
      </p>
    </>
  );
}

const scopeText = ({ scope }: ListedKey): string => (scope === 'write' ? 'read and write' : 'read only');

const LastUse = ({ of: { last_used_at: at } }: { of: ListedKey }) =>
  at ? (
    <>
      last used <Time at={at} />
    </>
  ) : (
    <>never used</>
  );

/** A program that uses the key stops working. */
export function revokeKeyPage(site: Site, key: ListedKey): Page {
  return accountFrame(
    site,
    '/account/keys',
    { title: 'Revoke this key?' },
    <>
      <article class="card">
        <h2>
          <Text>{key.name}</Text>
        </h2>
        <p class="quiet">
          <code>{key.prefix}…</code> · {scopeText(key)} · <LastUse of={key} />
        </p>
      </article>
      <p>Programs that use it stop working at once, and nobody can restore it. Their etches stay.</p>
      <ConfirmForm action={`/account/keys/${key.id}/revoke`} button="Revoke the key" back="/account/keys" />
    </>,
  );
}
