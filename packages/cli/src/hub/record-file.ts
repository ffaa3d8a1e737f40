// .svc/<round>/<model>.json in a hub: the salts and receipts of a model's files for a round. Entries are only added.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isHex, isUuid } from '@svc/protocol';
import type { Progress } from '../context.ts';
import { inputError } from '../exit.ts';
import { CHUNK, readSteadily } from '../files/hash-files.ts';
import { parseJson, readInput } from '../input-file.ts';
import { replaceFile } from '../out-file.ts';
import { rejectLink } from './hub-file.ts';
import type { Hub } from './read-hub.ts';

export const RECORD_FOLDER = '.svc';
const FORMAT = 'svc-hub-record:v1';

export interface Submission {
  /** from the root of the hub */
  file: string;
  /** 32 bytes in hex; public with the file */
  salt: string;
  /** SHA-256 of the salt and the file, in hex */
  hash: string;
  /** null: the answer of the service was lost, and the next run sends the request again */
  etch: string | null;
  url: string | null;
  /** or evidence, once a witness has confirmed the time */
  receipt: unknown;
  /** the request */
  content: string;
  description: string;
  reveal_at: string | null;
}

export interface HubRecord {
  _format: typeof FORMAT;
  hub: string;
  round: string;
  model: string;
  /** origin of the service */
  service: string;
  /** the oldest first */
  submissions: Submission[];
}

type Key = Pick<HubRecord, 'round' | 'model'>;

export const recordPath = ({ root }: Pick<Hub, 'root'>, { round, model }: Key): string =>
  join(root, RECORD_FOLDER, round, `${model}.json`);

export const newRecord = (hub: Hub, { round, model }: Key, service: string): HubRecord => ({
  _format: FORMAT,
  hub: hub.name,
  round,
  model,
  service,
  submissions: [],
});

/** @throws {CommandError} on a file of another round or model, or of another format, and on a link */
export async function readRecord(hub: Hub, key: Key): Promise<HubRecord | null> {
  const path = recordPath(hub, key);
  const isThere = await stat(path).catch(() => null);
  if (isThere === null) return null;
  rejectLink(hub, path);
  const value = (parseJson(await readInput(path)) ?? {}) as Partial<HubRecord>;
  const { submissions, service } = value;
  const isValid =
    value._format === FORMAT &&
    typeof value.hub === 'string' &&
    typeof service === 'string' &&
    URL.canParse(service) &&
    Array.isArray(submissions) &&
    submissions.every(
      (one) =>
        isHex(one?.salt, 32) &&
        isHex(one.hash, 32) &&
        [one.file, one.content, one.description].every((text) => typeof text === 'string') &&
        (one.etch === null || isUuid(one.etch)),
    );
  if (!isValid) throw inputError(`${path} is not a file that svc hub submit wrote; nothing was changed`);
  for (const name of ['round', 'model'] as const) refuseOther(path, value, name, key[name]);
  return value as HubRecord;
}

export function refuseOther(
  path: string,
  record: Partial<HubRecord>,
  name: 'round' | 'model' | 'hub',
  expected: string,
): void {
  if (record[name] === expected) return;
  const advice =
    name === 'round'
      ? 'delete this copy, and run svc hub submit for the file'
      : 'after a rename, a round that has records keeps the earlier name, and the new name counts from the next round on';
  throw inputError(
    `${path} is of the ${name} ${JSON.stringify(record[name])}, not of ${JSON.stringify(expected)}: ${advice}. Nothing was changed`,
  );
}

export function writeRecord(hub: Hub, record: HubRecord): void {
  const path = recordPath(hub, record);
  if (record.submissions.length === 0) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, 0o644);
}

/**
 * Hashes the file after each salt (SHA-256) in one pass.
 * @throws {CommandError} when the file changes during the read
 */
export async function saltedHashes(
  path: string,
  salts: readonly string[],
  progress: Progress,
): Promise<string[]> {
  const hashes = salts.map((salt) => createHash('sha256').update(Buffer.from(salt, 'hex')));
  const buffer = Buffer.allocUnsafe(CHUNK);
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  let read = 0;
  await readSteadily(path, { buffer, again: 'try again' }, (chunk) => {
    for (const hash of hashes) hash.update(chunk);
    progress.show('hashed, bytes', (read += chunk.length), size);
  });
  progress.clear();
  return hashes.map((hash) => hash.digest('hex'));
}
