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
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConfirmForm, OwnCards, ownAccountPage, ShownOnce } from './account-frame.tsx';
import { addKey, listKeys, revoke } from '../../../accounts/key-store.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../errors.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { shownOnce, siteFor } from '../site.ts';
import { type ById, checked, filled, type FormFields, formsOf, readForForm, typedIn } from '../form.ts';
import { callerOf } from '../session.ts';

const NO_KEY = 'no active key of this account has that id';

export function mountKeyPages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, config } = deps;
  const once = shownOnce<NonNullable<KeysData['made']>>(deps.keyring, deps.baseUrl, 'key');

  const show = async (request: FastifyRequest, more: Partial<Parameters<typeof keysPage>[1]>) => {
    const keys = await readForForm(more.problem, () => listKeys(db, callerOf(request).userId));
    return keysPage(siteFor(deps, request), { keys, ...more });
  };

  pages.get<{ Querystring: { done?: string } }>('/account/keys', async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, revoked: request.query.done === 'revoked' });
  });

  const post = formsOf(pages, show);
  const add = async (request: FastifyRequest, form: FormFields, reply: FastifyReply): Promise<string> => {
    const { userId } = callerOf(request);
    const { name, scope = 'read' } = checked(request, 'createKey', filled(form, 'name', 'scope'));
    const key = { userId, name, scope, at: toTime(clock.now()) };
    const { value } = await addKey(db, key, config.limits.keysPerAccount);
    once.give(reply, userId, { name, value, scope });
    return '/account/keys';
  };
  post('/account/keys', add, (form) => ({ typed: typedIn(form, 'name', 'scope') }));

  pages.get('/account/keys/:id/revoke', async (request: ById) => {
    const { userId } = callerOf(request);
    const id = idOf(request.params.id, NO_KEY);
    const key = (await listKeys(db, userId)).find((row) => row.id === id && row.revoked_at === null);
    if (!key) throw new Failure('not_found', NO_KEY);
    return revokeKeyPage(siteFor(deps, request), key);
  });

  post('/account/keys/:id/revoke', async (request) => {
    await revoke(db, clock, callerOf(request), idOf(request.params.id, NO_KEY));
    return '/account/keys?done=revoked';
  });
}

interface KeysData {
  /** absent after the session ended, or if the keys cannot be read */
  keys: readonly ListedKey[] | undefined;
  made?: { name: string; value: string; scope: string } | undefined;
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
        , and we cannot show it again. Anyone who has it can{' '}
        {made.scope === 'read' ? 'read what only you may read' : 'act as you'}.
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
const revokeKeyPage = (site: Site, key: ListedKey): Page =>
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
