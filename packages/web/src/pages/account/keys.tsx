import { KEY_NAME_MAX, type ListedKey } from '@svc/contract';
import type { VNode } from 'preact';
import { Done, LineEntry, ProblemSummary } from '../../parts/form.tsx';
import { type FormProblem, told } from '../../parts/told-problem.ts';
import { Text } from '../../parts/text.tsx';
import { Day, Time } from '../../parts/time.tsx';
import type { Page, Site } from '../../site.ts';
import { accountFrame } from './frame.tsx';

export interface KeysData {
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
      {made && <Made made={made} />}
      <ProblemSummary problem={problem} />
      <p>
        Your programs use a key to act as your account. We store only a hash of the key, so you see its value
        once, when you make it. <a href="/docs">How to use one</a>
      </p>
      {active &&
        (active.length === 0 ? (
          <p class="empty">You have no active key.</p>
        ) : (
          <>
            <h2 class="visually-hidden">Active keys</h2>
            <ul class="cards keys">
              {active.map((key) => (
                <li>
                  <Active item={key} />
                </li>
              ))}
            </ul>
          </>
        ))}
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
          <fieldset class="modes" id="scope" tabindex={-1}>
            <legend>What it may do</legend>
            <label class="mode">
              <input type="radio" name="scope" value="read" checked={typed?.scope !== 'write'} />
              <span>
                <strong>Read</strong>
                <span class="quiet">Your feed, your follows, your limits. It cannot write.</span>
              </span>
            </label>
            <label class="mode">
              <input type="radio" name="scope" value="write" checked={typed?.scope === 'write'} />
              <span>
                <strong>Write</strong>
                <span class="quiet">Everything you can do here: etch, retract, make further keys.</span>
              </span>
            </label>
          </fieldset>
          <p class="actions">
            <button type="submit">Make the key</button>
          </p>
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

function Made({ made }: { made: { name: string; value: string } }): VNode {
  return (
    <section class="standing revealed" aria-labelledby="made">
      <h2 id="made">
        <span>
          Your new key: <Text>{made.name}</Text>
        </span>
      </h2>
      <p>
        Copy it now: <strong>it is shown this once</strong>, and we cannot show it again. Anyone who has it
        can act as you.
      </p>
      <p>
        <code class="exact key-value" data-copy="API key">
          {made.value}
        </code>
      </p>
    </section>
  );
}

function Active({ item: key }: { item: ListedKey }): VNode {
  return (
    <article class="card">
      <h3>
        <Text>{key.name}</Text>{' '}
        <span class="badge">{key.scope === 'write' ? 'read and write' : 'read only'}</span>
      </h3>
      <p class="quiet">
        <code>{key.prefix}…</code> · made on <Day at={key.created_at} /> ·{' '}
        {key.last_used_at ? (
          <>
            last used <Time at={key.last_used_at} />
          </>
        ) : (
          'never used'
        )}
      </p>
      <p>
        <a class="button secondary" href={`/account/keys/${key.id}/revoke`}>
          Revoke<span class="visually-hidden"> the key {key.name}</span> …
        </a>
      </p>
    </article>
  );
}

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
          <code>{key.prefix}…</code> · {key.scope === 'write' ? 'read and write' : 'read only'} ·{' '}
          {key.last_used_at ? (
            <>
              last used <Time at={key.last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </article>
      <p>Programs that use it stop working at once, and nobody can restore it. What they etched stays.</p>
      <form method="post" action={`/account/keys/${key.id}/revoke`}>
        <p class="actions">
          <button type="submit" class="danger">
            Revoke the key
          </button>
          <a href="/account/keys">Keep it</a>
        </p>
      </form>
    </>,
  );
}
