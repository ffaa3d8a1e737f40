import { bytesToHex, hexToBytes } from '@svc/protocol';
import {
  ACCOUNT_ENTRY_LENGTH,
  type AccountEntry,
  decodeAccountEntry,
  encodeAccountEntry,
  type KeptAccount,
} from '@svc/protocol/account-index';
import { type Checkpoint, isSignedBy, parseCheckpoint, type VerifierKey } from '@svc/protocol/tlog';

/** JSON that an audit by index keeps for the next one. */
export interface KeptIndex {
  /** absent in the state of earlier versions */
  user_id?: string;
  /** the signed checkpoint */
  note: string;
  covered: number;
  peaks: string[];
  /** one hex string of 82 digits each */
  entries: string;
}

/** The kept state is of another account or another log. */
export class KeptMismatch extends TypeError {
  override name = 'KeptMismatch';
}

export interface OpenedIndex {
  checkpoint: Checkpoint;
  account: KeptAccount;
  entries: AccountEntry[];
}

/** Names the logs that have these keys. */
export const originsOf = (keys: readonly VerifierKey[]): string =>
  [...new Set(keys.map(({ name }) => name))].join(' or ') || 'a log whose key is pinned';

export const noteOf = ({ text, signatures }: Checkpoint): string =>
  `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;

export const keepIndex = (userId: string, { checkpoint, account, entries }: OpenedIndex): KeptIndex => ({
  user_id: userId,
  note: noteOf(checkpoint),
  covered: account.covered,
  peaks: account.peaks.map(bytesToHex),
  entries: entries.map((entry) => bytesToHex(encodeAccountEntry(entry))).join(''),
});

/**
 * Null when none of the keys signed its checkpoint.
 * @throws {KeptMismatch}
 */
export function openKept(
  kept: KeptIndex | null,
  { userId, keys }: { userId: string; keys: readonly VerifierKey[] },
): OpenedIndex | null {
  if (kept === null) return null;
  const { user_id: of = userId } = kept;
  if (of !== userId) throw new KeptMismatch(`the kept state is of the account ${of}, not of ${userId}`);
  const checkpoint = parseCheckpoint(kept.note);
  const own = keys.filter(({ name }) => name === checkpoint.origin);
  if (own.length === 0)
    throw new KeptMismatch(`the kept state is of the log ${checkpoint.origin}, not of ${originsOf(keys)}`);
  if (!isSignedBy(checkpoint, own)) return null;
  const bytes = hexToBytes(kept.entries);
  const entries: AccountEntry[] = [];
  for (let at = 0; at < bytes.length; at += ACCOUNT_ENTRY_LENGTH)
    entries.push(decodeAccountEntry(bytes.subarray(at, at + ACCOUNT_ENTRY_LENGTH)));
  const peaks = kept.peaks.map(hexToBytes);
  return { checkpoint, account: { covered: kept.covered, count: entries.length, peaks }, entries };
}
