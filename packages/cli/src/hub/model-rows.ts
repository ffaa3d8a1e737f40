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
  account: string | null;
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
  'on_time',
  'files',
  'missing',
  'record',
  'result',
] as const satisfies (keyof ModelRow)[];

export interface ModelRow {
  model: string;
  accounts: string[];
  on_time: number;
  files: number;
  /** rounds of other models since the model's first file */
  missing: string[];
  record: string;
  /** null: no record was checked */
  result: Result | null;
}

export async function modelRows(
  hub: Hub,
  judged: readonly JudgedFile[],
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
  const rounds = roundsOf(judged.map(({ row }) => row));
  const models = [...new Set(judged.map(({ row }) => row.model))].sort();
  return models.map((model) => {
    const own = judged.filter(({ row }) => row.model === model);
    const rows = own.map(({ row }) => row).filter(({ file }) => file !== '');
    const given = roundsOf(rows);
    const accounts = accountsOf(own);
    return {
      model,
      accounts: accounts.map(({ username }) => username),
      on_time: rows.filter(({ state }) => state === 'on time').length,
      files: rows.length,
      missing: rounds.filter((round) => round > given[0]! && !given.includes(round)),
      ...recordOf(
        hub.name,
        model,
        accounts.map(({ user_id: id }) => whole.get(id)),
        listed,
        options,
      ),
    };
  });
}

/** A misnamed file has no round. */
const roundsOf = (rows: readonly FileRow[]): string[] =>
  [...new Set(rows.map(({ round }) => round))].filter((round) => round !== '').sort();

function recordOf(
  hub: string,
  model: string,
  [found, ...more]: readonly (Whole | undefined)[],
  listed: ReadonlySet<string>,
  options: CheckOptions,
): Pick<ModelRow, 'record' | 'result'> {
  if (options.record === 'none') return { record: 'not checked', result: null };
  if (found === undefined) return { record: 'no account is proven', result: 'wait' };
  if (more.length > 0) return { record: 'etches of several accounts', result: 'fail' };
  const others = [...found.contents].flatMap(([id, content]) => {
    const words = readWords(content);
    // With --round, the rows list only that round.
    const isOther = words.kind === 'hub' && (options.round ?? words.round) === words.round;
    return isOther && words.hub === hub && !listed.has(id) ? [{ id, ...words }] : [];
  });
  const unlisted = others.filter((one) => one.model === model);
  const names = unlisted.map(({ id, round }) => `etch ${id} of round ${round}`).join(', ');
  if (names !== '') return { record: `not whole: the hub does not list ${names}`, result: 'fail' };
  const renamed = new Set(others.map((one) => one.model).filter((name) => name !== model));
  const isNoted = renamed.size > 0 && options.model === undefined;
  const note = isNoted ? `; the account etched also as ${[...renamed].join(', ')}` : '';
  return { record: `${found.detail}${note}`, result: found.result };
}
