// One row for each model: its account, the rounds without a file, and whether the account's record has etches that the hub does not list.
import { readWords } from '@svc/protocol/conventions';
import type { Account } from '../audit/audit-accounts.ts';
import type { Context } from '../context.ts';
import type { Result } from '../verdict-words.ts';
import type { CheckOptions } from './check-options.ts';
import type { JudgedEntry } from './judge-entry.ts';
import type { Hub } from './read-hub.ts';
import { readWhole, type Whole } from './whole-record.ts';

export interface FileRow {
  round: string;
  model: string;
  file: string;
  state: string;
  result: Result;
  /** the earliest that a proof of `etch` shows; null: no time is proven */
  time: string | null;
  /** the attestation, or a witness */
  proof: string | null;
  /** seconds after the window, or before it */
  seconds: number;
  /** user_id: the hash of the etch binds it */
  account: string | null;
  /** as the receipt states it: nothing binds it */
  username: string | null;
  etch: string | null;
  detail: string;
}

export interface JudgedFile {
  row: FileRow;
  entries: JudgedEntry[];
}

export const MODEL_COLUMNS = [
  'model',
  'accounts',
  'usernames',
  'on_time',
  'files',
  'missing',
  'record',
  'result',
] as const satisfies (keyof ModelRow)[];

export interface ModelRow {
  model: string;
  /** user ids */
  accounts: string[];
  usernames: string[];
  on_time: number;
  files: number;
  /** rounds of other models since the model's first file */
  missing: string[];
  record: string;
  /** null: no record was checked */
  result: Result | null;
}

/** Files and records of the hub, also those that `--model` and `--round` leave out. */
export interface Known {
  files: readonly Pick<FileRow, 'round' | 'model'>[];
  etches: ReadonlySet<string>;
}

export async function modelRows(
  hub: Hub,
  judged: readonly JudgedFile[],
  known: Known,
  options: CheckOptions,
  context: Context,
): Promise<ModelRow[]> {
  const accountsOf = (files: readonly JudgedFile[]): Account[] => {
    const proven = files.flatMap(({ entries }) => entries).filter(({ result }) => result !== 'fail');
    const authors = proven.flatMap(({ author }) => author ?? []);
    return [...new Map(authors.map((author) => [author.user_id, author])).values()];
  };
  const whole = await readWhole(accountsOf(judged), options, context);
  const listed = new Set(judged.flatMap(({ entries }) => entries.map(({ etch }) => etch)));
  const rounds = roundsOf(known.files);
  const models = [...new Set(judged.map(({ row }) => row.model))].sort();
  return models.map((model) => {
    const own = judged.filter(({ row }) => row.model === model);
    const rows = own.map(({ row }) => row).filter(({ file }) => file !== '');
    const given = roundsOf(known.files.filter((one) => one.model === model));
    const isMissing = (round: string) => byNumber(round, given[0]!) > 0 && !given.includes(round);
    const accounts = accountsOf(own);
    return {
      model,
      accounts: accounts.map(({ user_id: id }) => id),
      usernames: accounts.map(({ username }) => username),
      on_time: rows.filter(({ state }) => state === 'on time').length,
      files: rows.length,
      missing: rounds.filter((round) => (options.round ?? round) === round && isMissing(round)),
      ...recordOf(
        // A hub whose name was corrected has files under both names.
        [hub.name, ...own.flatMap(({ entries }) => entries.flatMap(({ words }) => words?.hub ?? []))],
        model,
        accounts.map(({ user_id: id }) => whole.get(id)),
        { judged: listed, all: known.etches },
        options,
      ),
    };
  });
}

/** `round_10` is after `round_9`. */
export const byNumber = new Intl.Collator('en', { numeric: true }).compare;

/** A misnamed file has no round. */
const roundsOf = (files: readonly Pick<FileRow, 'round'>[]): string[] =>
  [...new Set(files.map(({ round }) => round))].filter((round) => round !== '').sort(byNumber);

function recordOf(
  hubs: readonly string[],
  model: string,
  [found, ...more]: readonly (Whole | undefined)[],
  listed: Record<'judged' | 'all', ReadonlySet<string>>,
  options: CheckOptions,
): Pick<ModelRow, 'record' | 'result'> {
  if (options.record === 'none') return { record: 'not checked', result: null };
  if (found === undefined) return { record: 'no account is proven', result: 'wait' };
  if (more.length > 0) return { record: 'etches of several accounts', result: 'fail' };
  // With --changed-since, no row lists the etches of files that did not change.
  const expected = options.changedSince === undefined ? listed.judged : listed.all;
  const others = [...found.etches].flatMap(([id, { content }]) => {
    const words = readWords(content ?? '');
    const isOther = words.kind === 'hub' && (options.round ?? words.round) === words.round;
    return isOther && hubs.includes(words.hub) && !expected.has(id) ? [{ id, ...words }] : [];
  });
  const unlisted = others.filter((one) => one.model === model);
  const names = unlisted.map(({ id, round }) => `etch ${id} of round ${round}`).join(', ');
  if (names !== '') return { record: `not whole: the hub does not list ${names}`, result: 'fail' };
  const renamed = new Set(others.map((one) => one.model).filter((name) => name !== model));
  const isNoted = renamed.size > 0 && options.model === undefined;
  const note = isNoted ? `; the account etched also as ${[...renamed].join(', ')}` : '';
  const hidden = [...found.etches].filter(([id, { content }]) => content === null && !listed.all.has(id));
  const counts = (['retracted', 'sealed'] as const).flatMap((name) => {
    const count = hidden.filter(([, { status }]) => status === name).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  const words = counts.length === 0 ? '' : `; ${counts.join(', ')}: their words are not public`;
  const isSealed = hidden.some(([, { status }]) => status === 'sealed');
  const result = found.result === 'pass' && isSealed ? 'wait' : found.result;
  return { record: `${found.detail}${note}${words}`, result };
}
