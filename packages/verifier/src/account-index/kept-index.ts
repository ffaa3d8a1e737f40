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
  /** the signed checkpoint */
  note: string;
  covered: number;
  peaks: string[];
  /** one hex string of 82 digits each */
  entries: string;
}

export interface OpenedIndex {
  checkpoint: Checkpoint;
  account: KeptAccount;
  entries: AccountEntry[];
}

export const noteOf = ({ text, signatures }: Checkpoint): string =>
  `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;

export const keepIndex = ({ checkpoint, account, entries }: OpenedIndex): KeptIndex => ({
  note: noteOf(checkpoint),
  covered: account.covered,
  peaks: account.peaks.map(bytesToHex),
  entries: entries.map((entry) => bytesToHex(encodeAccountEntry(entry))).join(''),
});

/** Null when none of the keys signed its checkpoint. */
export function openKept(kept: KeptIndex | null, keys: readonly VerifierKey[]): OpenedIndex | null {
  if (kept === null) return null;
  const checkpoint = parseCheckpoint(kept.note);
  const own = keys.filter(({ name }) => name === checkpoint.origin);
  if (!isSignedBy(checkpoint, own)) return null;
  const bytes = hexToBytes(kept.entries);
  const entries: AccountEntry[] = [];
  for (let at = 0; at < bytes.length; at += ACCOUNT_ENTRY_LENGTH)
    entries.push(decodeAccountEntry(bytes.subarray(at, at + ACCOUNT_ENTRY_LENGTH)));
  const peaks = kept.peaks.map(hexToBytes);
  return { checkpoint, account: { covered: kept.covered, count: entries.length, peaks }, entries };
}
