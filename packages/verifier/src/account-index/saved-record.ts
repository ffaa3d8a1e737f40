// One file with the record of an account, its index answer and, if wanted, the proofs of time.
import { bytesToHex, isHex, isUuid, parseDateTime } from '@svc/protocol';
import { type IndexAnswer, IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import type { RecordedEtch } from '../recorded-etch.ts';
import { compareWithIndex, type ComparedRecord } from './compare-index.ts';
import { checkIndexFile, type SavedIndex, type SavedTrust, upToOf } from './read-index.ts';

export const RECORD_FORMAT = 'svc-record:v1';

const WHAT =
  'The record of an account with the proof that it leaves nothing out: all its entries in the index of accounts. Check it offline with `svc verify`, or with docs/verify_index.py.';

/** Unchecked, except for its form. */
export interface RecordFile {
  savedAt: string;
  service: string;
  account: { username: string; user_id: string };
  pages: IndexAnswer[];
  etches: RecordedEtch[];
  /** `svc-evidence:v1`, in any number */
  evidence: unknown[];
}

interface Saving extends Pick<RecordFile, 'service' | 'account' | 'savedAt'> {
  /** the answers of the service */
  index: readonly unknown[];
  etches: readonly object[];
  evidence?: readonly object[];
}

/**
 * @example
 * const account = { username: 'ada', user_id: answer.user_id };
 * const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
 * makeRecordFile({ ...at, account, index: [answer], etches: [] })._format; // 'svc-record:v1'
 */
export const makeRecordFile = ({ savedAt, service, account, index, etches, evidence }: Saving) => ({
  _format: RECORD_FORMAT,
  _what_this_is: WHAT,
  service,
  user: account,
  saved_at: savedAt,
  index,
  etches,
  ...(evidence === undefined ? {} : { evidence }),
});

/**
 * @throws {IndexError} naming the first malformed field
 * @example
 * const account = { username: 'ada', user_id: answer.user_id };
 * const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
 * parseRecordFile(makeRecordFile({ ...at, account, index: [answer], etches: [] })).etches; // []
 */
export function parseRecordFile(value: unknown): RecordFile {
  const { _format, service, user, saved_at, index, etches, evidence = [] } = fieldsOf(value);
  const { username, user_id } = fieldsOf(user);
  const need = (isSound: boolean, field: string) => {
    if (!isSound) throw new IndexError(`${field} is missing or malformed`);
  };
  need(_format === RECORD_FORMAT, '_format');
  need(typeof service === 'string', 'service');
  need(typeof username === 'string' && typeof user_id === 'string' && isUuid(user_id), 'user');
  need(typeof saved_at === 'string' && parseDateTime(saved_at) !== null, 'saved_at');
  need(Array.isArray(index) && index.length > 0, 'index');
  need(Array.isArray(etches) && etches.every(isEtch), 'etches');
  need(Array.isArray(evidence), 'evidence');
  return {
    savedAt: saved_at as string,
    service: service as string,
    account: { username, user_id } as RecordFile['account'],
    pages: (index as unknown[]).map(parseIndexAnswer),
    etches: etches as RecordedEtch[],
    evidence: evidence as unknown[],
  };
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const STATUSES: readonly unknown[] = ['sealed', 'revealed', 'retracted'] satisfies RecordedEtch['status'][];

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isCountOrNull = (value: unknown): boolean => value === null || Number.isInteger(value);

/** The fields that the comparison reads. */
function isEtch(value: unknown): boolean {
  const etch = fieldsOf(value);
  const chain = fieldsOf(etch['chain']);
  const proofs = ['proof', 'revocation_proof'].map((name) => chain[name]);
  return (
    [etch['id'], etch['mode'], fieldsOf(etch['author'])['user_id']].every(isText) &&
    STATUSES.includes(etch['status']) &&
    isHex(etch['hash'], 32) &&
    ['content', 'salt', 'created_at', 'canonical_string'].every((name) => isTextOrNull(etch[name])) &&
    [chain['status'], chain['revocation_status']].every(isText) &&
    ['attestation_uid', 'anchored_at', 'root', 'revocation_attestation_uid', 'revocation_root'].every(
      (name) => isTextOrNull(chain[name]),
    ) &&
    ['tree_size', 'tree_version', 'revocation_tree_version'].every((name) => isCountOrNull(chain[name])) &&
    ['', 'revocation_'].every(
      (of) => (chain[`${of}root`] === null) === (chain[`${of}tree_version`] === null),
    ) &&
    proofs.every(
      (proof) => proof === null || (Array.isArray(proof) && proof.every((hash) => isHex(hash, 32))),
    )
  );
}

export interface CheckedRecord {
  index: SavedIndex;
  record: ComparedRecord;
  /** "20 etches: 17 open, 2 sealed, 1 retracted" */
  counts: string;
  /** The index has what the log had by then; null: only the file says when it was saved. */
  upTo: string | null;
}

/**
 * The times of the etches are those of the service: evidence proves them.
 * @throws {IndexError} @throws {TlogError} when the index proves nothing
 * @throws {LogUnread} when none of the keys signed its checkpoint
 * @example
 * const account = { username: 'ada', user_id: answer.user_id };
 * const at = { service: 'https://svc.example.org', savedAt: '2030-01-31T12:00:00.000Z' };
 * const file = parseRecordFile(makeRecordFile({ ...at, account, index: [answer], etches: [] }));
 * const keys = [parseVerifierKey(logKey)];
 * const checked = await checkRecordFile(file, { keys, policy: null, indexWitnesses: [], now: 2e9 });
 * checked.record.faults[0].what; // 'missing'
 */
export async function checkRecordFile(file: RecordFile, trust: SavedTrust): Promise<CheckedRecord> {
  const { account, etches, savedAt } = file;
  const index = checkIndexFile(file.pages, account.user_id, trust);
  const now = Date.parse(savedAt) / 1000;
  const job = { log: null, account, record: [etches], chain: null, keys: trust.keys, now };
  const record = await compareWithIndex({ ...job, ...(trust.sha256 && { sha256: trust.sha256 }) }, index);
  const hashes = new Set(index.entries.filter(({ kind }) => kind === 0).map(({ hash }) => bytesToHex(hash)));
  const some = (status: string) =>
    etches.filter((one) => one.status === status && hashes.has(one.hash)).length;
  const counts = `${hashes.size} ${hashes.size === 1 ? 'etch' : 'etches'}: ${some('revealed')} open, ${some('sealed')} sealed, ${some('retracted')} retracted`;
  return { index, record, counts, upTo: upToOf(index) };
}
