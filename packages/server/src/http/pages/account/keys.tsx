import { KEY_NAME_MAX, type ListedKey } from '@svc/contract';
import {
  Choices,
  Done,
  type FormProblem,
  LineEntry,
  Mode,
  PostForm,
  Submit,
  problemText,
} from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { atTime, onDay, safe } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import { ConfirmForm, OwnCards, ownAccountPage, ShownOnce } from './frame.tsx';

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

export function keysPage(site: Site, { keys, made, revoked, typed, problem }: KeysData): Page {
  const active = keys?.filter((key) => key.revoked_at === null);
  const gone = (keys ?? []).filter((key) => key.revoked_at !== null);
  return ownAccountPage(
    site,
    '/account/keys',
    { title: 'API keys', problem: problemText(problem, NAMES), islands: ['copy.js', 'compose.js'] },
    revoked && <Done>The key is revoked and no longer works.</Done>,
    made && (
      <ShownOnce title={say`Your new key: ${safe(made.name)}`} value={made.value} copy="API key">
        , and we cannot show it again. Anyone who has it can act as you.
      </ShownOnce>
    ),
    prose`
      Your programs use a key to act as your account. We store only a hash of the key, so you see its value
      once, when you make it. [How to use one](/docs)
    `,
    <OwnCards items={active} empty="You have no active key." heading="Active keys">
      {(key) => (
        <>
          <h3>
            {safe(key.name)} <span class="badge">{scopeText(key)}</span>
          </h3>
          <p class="quiet">{say`~${key.prefix}…~ · made on ${onDay(key.created_at)} · ${lastUse(key)}`}</p>
          <p>
            <a class="button secondary" href={`/account/keys/${key.id}/revoke`}>
              Revoke<span class="visually-hidden"> the key {key.name}</span>…
            </a>
          </p>
        </>
      )}
    </OwnCards>,
    <section>
      <h2>Make a key</h2>
      <PostForm action="/account/keys" noValidate composed>
        <LineEntry
          name="name"
          label="Name"
          hint={`So that you recognize it later; at most ${KEY_NAME_MAX} characters.`}
          value={typed?.name ?? ''}
        />
        <Choices name="scope" legend="What it may do" isNoted={false}>
          <Mode name="scope" value="read" checked={typed?.scope !== 'write'} title="Read">
            Your feed, your follows, your limits. It cannot write.
          </Mode>
          <Mode name="scope" value="write" checked={typed?.scope === 'write'} title="Write">
            Everything you can do here: etch, retract, make further keys.
          </Mode>
        </Choices>
        <Submit>Make the key</Submit>
      </PostForm>
    </section>,
    gone.length > 0 && (
      <section>
        <h2>Revoked</h2>
        <p class="quiet">They stay listed, so that you can tell what was used when.</p>
        <ul class="plain-list">
          {gone.map((key) => (
            <li>
              <strong>{safe(key.name)}</strong> <code>{key.prefix}…</code>{' '}
              <span class="quiet">revoked on {atTime(key.revoked_at!)}</span>
            </li>
          ))}
        </ul>
      </section>
    ),
  );
}

const scopeText = ({ scope }: ListedKey): string => (scope === 'write' ? 'read and write' : 'read only');

const lastUse = ({ last_used_at: at }: ListedKey) => (at ? say`last used ${atTime(at)}` : 'never used');

/** A program that uses the key stops working. */
export const revokeKeyPage = (site: Site, key: ListedKey): Page =>
  ownAccountPage(
    site,
    '/account/keys',
    { title: 'Revoke this key?' },
    <article class="card">
      <h2>{safe(key.name)}</h2>
      <p class="quiet">{say`~${key.prefix}…~ · ${scopeText(key)} · ${lastUse(key)}`}</p>
    </article>,
    <p>Programs that use it stop working at once, and nobody can restore it. Their etches stay.</p>,
    <ConfirmForm action={`/account/keys/${key.id}/revoke`} button="Revoke the key" back="/account/keys" />,
  );
