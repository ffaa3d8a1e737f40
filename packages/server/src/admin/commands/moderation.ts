import { userInfo } from 'node:os';
import { isUuid, TAKEDOWN_REASONS, type TakedownReason } from '@svc/contract';
import { Command, Option } from 'commander';
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

export function takeDownCommand(admin: Admin): Command {
  return signedBy(
    new Command('take-down')
      .description('erase a text for good, like a retraction by its author; the record names the operator')
      .argument('<etch>', 'its id, code or URL; with --description also those of a challenge'),
  )
    .addOption(reasonOption('the reason; public next to the record', TAKEDOWN_REASONS))
    .option(
      '--description',
      'erase the description of the etch or the question of the challenge instead of the text',
      false,
    )
    .option('--yes', 'erase it; without --yes nothing changes', false)
    .addHelpText(
      'after',
      '\nText: the hash, the description and the dates stay, a tombstone is anchored, and the act never counts as a retraction by\n' +
        'the author. Description or question: hash, text and dates stay, and “Taken down by the operator” is shown in its place,\n' +
        'also in the descriptions of a challenge’s etches. Run both commands to erase both. This cannot be undone. Backups keep\n' +
        'the words until they expire: see docs/operating/erasure.md.',
    )
    .action(async (name: string, given: Given) => {
      const { reason, description, yes } = given;
      await withDatabase(admin.config(), async (db) => {
        const named = await findNamed(db, name);
        if (!named) throw inputError(`there is no etch${description ? ' or challenge' : ''} ${name}`);
        const { target, id, code, username, words } = named;
        if (target === 'challenge' && !description)
          throw usageError(
            `${name} is a challenge: --description takes its question down; its etches are taken down one by one`,
          );
        if (yes) await takeDownNamed(db, named, given);
        const ids = target === 'etch' ? { etch_id: id } : { challenge_id: id };
        admin.print({ ...ids, code, username, reason, description, taken_down: yes }, [
          `${code} (${id}) by ${username}: ${words}`,
          outcome(named, given),
        ]);
      });
    });
}

async function takeDownNamed(db: Db, { target, id }: Named, given: Given): Promise<void> {
  const how = await doing(db, given.by);
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

export function actsCommand(admin: Admin): Command {
  return new Command('acts')
    .description('list the acts of operators on accounts and texts, oldest first; the log is append-only')
    .option('--after <number>', 'start after this one', '0')
    .option('--limit <number>', 'at most this many', '100')
    .action(async ({ after, limit }: { after: string; limit: string }) => {
      if (!/^\d{1,12}$/.test(after) || !/^[1-9]\d{0,5}$/.test(limit))
        throw usageError('--after and --limit are whole numbers');
      const page = { after: Number(after), limit: Number(limit) };
      const acts = await withDatabase(admin.config(), (db) => listActs(db, page));
      admin.print({ acts }, [
        ...acts.map(({ id, at, act, username, user_id, etch_id, challenge_id, reason, by }) =>
          [id, at, act, username ?? user_id, etch_id ?? challenge_id, reason, `by ${by}`]
            .filter((part) => part !== null)
            .join('  '),
        ),
        acts.length === page.limit && `more: --after ${acts.at(-1)!.id}`,
      ]);
    });
}

interface Standing {
  name: string;
  description: string;
  words: string;
  hasReason?: true;
  set: (db: Db, username: string, how: ByOperator, reason: AccountReason) => Promise<true | null>;
}

const STANDINGS: readonly Standing[] = [
  {
    name: 'suspend',
    description: 'suspend an account; it can still read, export, reveal and retract',
    words: 'is suspended',
    hasReason: true,
    set: (db, username, how, reason) => suspend(db, username, reason, how),
  },
  {
    name: 'restore',
    description: 'end a suspension',
    words: 'is not suspended',
    set: restoreAccount,
  },
  {
    name: 'hide',
    description: 'hide an account from the feed and the first page, not from record or search',
    words: 'is hidden from the feed and the first page',
    hasReason: true,
    set: (db, username, how, reason) => hide(db, username, reason, how),
  },
  {
    name: 'unhide',
    description: 'show an account in the feed again',
    words: 'is shown in the feed',
    set: (db, username, how) => hide(db, username, null, how),
  },
];

/** Each act adds a permanent row to a log. */
export function standingCommands(admin: Admin): Command[] {
  const command = (name: string, description: string): Command =>
    signedBy(new Command(name).description(description).argument('<username>'));
  const act = <T>(by: string, work: (db: Db, how: ByOperator) => Promise<T>): Promise<T> =>
    withDatabase(admin.config(), (db) => refusedAs(doing(db, by).then((how) => work(db, how))));

  const standings = STANDINGS.map(({ name, description, words, hasReason, set }) => {
    const made = command(name, description);
    if (hasReason) made.addOption(reasonOption('the reason; the account sees it', ACCOUNT_REASONS));
    return made.action(async (username: string, { by, reason }: { by: string; reason: AccountReason }) => {
      const done = await act(by, (db, how) => set(db, username, how, reason));
      const line = `${username} ${words}${hasReason ? `: ${reason}` : ''}`;
      const changed = done !== null;
      admin.print({ username, changed }, [`${line}${changed ? '' : ' (as before)'}`]);
    });
  });
  const revoke = command(
    'revoke',
    'revoke the API keys of an account and end its sessions on the pages',
  ).action(async (username: string, { by }: { by: string }) => {
    const { keys, sessions } = await act(by, (db, how) => revokeAll(db, username, how));
    admin.print({ username, keys, sessions }, [
      `${keys} keys revoked, ${sessions} sessions ended`,
      'Access tokens of the identity provider stay valid until they expire: block the person there as well.',
    ]);
  });
  return standings.toSpliced(2, 0, revoke);
}

const reasonOption = (description: string, reasons: readonly string[]): Option =>
  new Option('--reason <reason>', description).choices(reasons).makeOptionMandatory();

const signedBy = (command: Command): Command =>
  command.option('--by <name>', 'name of the operator, for the log', nameHere());

/** Containers may have no user name. */
function nameHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

async function doing(db: Db, by: string): Promise<ByOperator> {
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
