import { userInfo } from 'node:os';
import { isUuid, TAKEDOWN_REASONS, type TakedownReason } from '@svc/contract';
import { flag, word } from '@svc/cli/command';
import {
  type ByOperator,
  hide,
  listActs,
  restoreAccount,
  revokeAll,
  suspend,
  takeDown,
  takeDownDescription,
} from '../../acts/moderation-store.ts';
import { vacuumErased } from '../../acts/vacuum.ts';
import { findChallengeByCode, findChallengeDetail } from '../../challenges/store.ts';
import { readDatabaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { findEtchByCode, findEtches } from '../../etches/store.ts';
import { Failure } from '../../platform/failure.ts';
import { command, oneOf } from '../command.ts';
import { type Admin, AdminError, EXIT, withDatabase, inputError, usageError } from '../context.ts';
import { ACCOUNT_REASONS, type AccountReason } from '../../accounts/store.ts';

interface Given {
  reason: TakedownReason;
  description: boolean;
  by: string;
  yes: boolean;
}

interface Named {
  target: 'etch' | 'challenge';
  id: string;
  code: string;
  username: string;
  words: string;
}

const OPERATOR = { '--by <name>': word('name of the operator, for the log', nameHere()) };

export const takeDownCommand = command(
  'take-down',
  'erase a text for good, like a retraction by its author; the record names the operator',
  {
    input: {
      '<etch>': 'its id, code or URL; with --description also those of a challenge',
      ...OPERATOR,
      '--reason <reason>': oneOf(TAKEDOWN_REASONS, 'the reason; public next to the record'),
      '--description': flag(
        'erase the description of the etch or the question of the challenge instead of the text',
      ),
      '--yes': flag('erase it; without --yes nothing changes'),
    },
    below:
      '\nText: the hash, the description and the dates stay, a tombstone is anchored, and the act never counts as a retraction by\n' +
      'the author. Description or question: hash, text and dates stay, and “Taken down by the operator” is shown in its place,\n' +
      'also in the descriptions of a challenge’s etches. Run both commands to erase both. This cannot be undone. Backups keep\n' +
      'the words until they expire: see docs/operating/erasure.md.',
    async run({ etch: name, ...given }, admin) {
      const { reason, description, yes } = given;
      return withDatabase(admin.config(), async (db) => {
        const named = await findNamed(db, name);
        if (!named) throw inputError(`there is no etch${description ? ' or challenge' : ''} ${name}`);
        const { target, id, code, username, words } = named;
        if (target === 'challenge' && !description)
          throw usageError(
            `${name} is a challenge: --description takes its question down; its etches are taken down one by one`,
          );
        if (yes) await takeDownNamed(db, named, given);
        const ids = target === 'etch' ? { etch_id: id } : { challenge_id: id };
        return {
          value: { ...ids, code, username, reason, description, taken_down: yes },
          lines: [`${code} (${id}) by ${username}: ${words}`, outcome(named, given)],
        };
      });
    },
  },
);

async function takeDownNamed(db: Db, { target, id }: Named, given: Given): Promise<void> {
  const how = await operatorNow(db, given.by);
  const work = given.description
    ? takeDownDescription(db, { target, target_id: id }, given.reason, how)
    : takeDown(db, id, given.reason, how);
  await refusedAs(work);
  await vacuumErased(db);
}

function outcome({ target }: Named, { description, reason, yes }: Given): string {
  const what = !description ? 'The text' : target === 'etch' ? 'The description' : 'The question';
  if (!yes) return `${what} would be erased for good (${reason}): use --yes to erase it.`;
  return description
    ? `${what} is erased everywhere (${reason}).`
    : `${what} is erased (${reason}), and its tombstone waits for the chain.`;
}

async function findNamed(db: Db, name: string): Promise<Named | undefined> {
  const parts = name.replace(/\/+$/, '').split('/');
  const last = parts.at(-1)!;
  const isCode = /^[0-9a-z]{6}$/i.test(last);
  if (!isCode && !isUuid(last)) return undefined;
  if (parts.at(-2) !== 'ch') {
    const etch = isCode ? await findEtchByCode(db, last) : (await findEtches(db, [last.toLowerCase()]))[0];
    if (etch) return { target: 'etch', ...etch, words: etch.description };
  }
  if (parts.at(-2) === 'e') return undefined;
  const challenge = isCode
    ? await findChallengeByCode(db, last)
    : await findChallengeDetail(db, last.toLowerCase());
  return challenge && { target: 'challenge', ...challenge, words: challenge.question };
}

export const actsCommand = command(
  'acts',
  'list the acts of operators on accounts and texts, oldest first; the log is append-only',
  {
    input: {
      '--after <number>': word('start after this one', '0'),
      '--limit <number>': word('at most this many', '100'),
    },
    async run({ after, limit }, admin) {
      if (!/^\d{1,12}$/.test(after) || !/^[1-9]\d{0,5}$/.test(limit))
        throw usageError('--after and --limit are whole numbers');
      const page = { after: Number(after), limit: Number(limit) };
      const acts = await withDatabase(admin.config(), (db) => listActs(db, page));
      const lines = [
        ...acts.map(({ id, at, act, username, user_id, etch_id, challenge_id, reason, by }) =>
          [id, at, act, username ?? user_id, etch_id ?? challenge_id, reason, `by ${by}`]
            .filter((part) => part !== null)
            .join('  '),
        ),
        acts.length === page.limit && `more: --after ${acts.at(-1)!.id}`,
      ];
      return { value: { acts }, lines };
    },
  },
);

type SetState = (db: Db, username: string, how: ByOperator, reason: AccountReason) => Promise<true | null>;
type EndState = (db: Db, username: string, how: ByOperator) => Promise<true | null>;

const act = <T>(admin: Admin, by: string, work: (db: Db, how: ByOperator) => Promise<T>): Promise<T> =>
  withDatabase(admin.config(), (db) => refusedAs(operatorNow(db, by).then((how) => work(db, how))));

const changed = (username: string, done: true | null, line: string) => ({
  value: { username, changed: done !== null },
  lines: [`${line}${done === null ? ' (as before)' : ''}`],
});

const actWithReason = (name: string, description: string, words: string, set: SetState) =>
  command(name, description, {
    input: {
      '<username>': '',
      ...OPERATOR,
      '--reason <reason>': oneOf(ACCOUNT_REASONS, 'the reason; the account sees it'),
    },
    async run({ username, by, reason }, admin) {
      const done = await act(admin, by, (db, how) => set(db, username, how, reason));
      return changed(username, done, `${username} ${words}: ${reason}`);
    },
  });

const endOfAct = (name: string, description: string, words: string, set: EndState) =>
  command(name, description, {
    input: { '<username>': '', ...OPERATOR },
    async run({ username, by }, admin) {
      const done = await act(admin, by, (db, how) => set(db, username, how));
      return changed(username, done, `${username} ${words}`);
    },
  });

/** Each act adds a permanent row to a log. */
export const accountActs = [
  actWithReason(
    'suspend',
    'suspend an account; it can still read, export, reveal and retract',
    'is suspended',
    (db, username, how, reason) => suspend(db, username, reason, how),
  ),
  endOfAct('restore', 'end a suspension', 'is not suspended', restoreAccount),
  command('revoke', 'revoke the API keys of an account and end its sessions on the pages', {
    input: { '<username>': '', ...OPERATOR },
    async run({ username, by }, admin) {
      const { keys, sessions } = await act(admin, by, (db, how) => revokeAll(db, username, how));
      return {
        value: { username, keys, sessions },
        lines: [
          `${keys} keys revoked, ${sessions} sessions ended`,
          'Access tokens of the identity provider stay valid until they expire: block the person there as well.',
        ],
      };
    },
  }),
  actWithReason(
    'hide',
    'hide an account from the feed and the first page, not from record or search',
    'is hidden from the feed and the first page',
    (db, username, how, reason) => hide(db, username, reason, how),
  ),
  endOfAct('unhide', 'show an account in the feed again', 'is shown in the feed', (db, username, how) =>
    hide(db, username, null, how),
  ),
];

/** Containers may have no user name. */
function nameHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

async function operatorNow(db: Db, by: string): Promise<ByOperator> {
  if (!/^[\p{L}\p{N}@._ -]{1,64}$/u.test(by))
    throw usageError('--by takes a name of at most 64 letters, digits and @ . _ -');
  return { by, now: await readDatabaseTime(db) };
}

async function refusedAs<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new AdminError(error.code === 'not_found' ? EXIT.input : EXIT.fault, error.message);
  }
}
