import { hash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '@svc/protocol';
import {
  ACCOUNT_ENTRY_LENGTH,
  type AccountEntry,
  decodeAccountEntry,
  encodeAccountEntry,
  type KeptAccount,
} from '@svc/protocol/account-index';
import { type Checkpoint, isSignedBy, parseCheckpoint, type VerifierKey } from '@svc/protocol/tlog';
import { readPrivate, writePrivate } from '../config-folder.ts';
import { usageError } from '../exit.ts';

/** The state of an audit by index. The next audit reads only new entries. */
export interface KeptIndex {
  checkpoint: Checkpoint;
  account: KeptAccount;
  entries: AccountEntry[];
}

const FORMAT = 'svc-audit-index:v1';

interface State {
  note: string;
  covered: number;
  peaks: string[];
  /** one hex string of 82 digits each */
  entries: string;
}

const fileOf = (state: State) => ({ format: FORMAT, sha256: hash('sha256', JSON.stringify(state)), state });

export const noteOf = ({ text, signatures }: Checkpoint): string =>
  `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;

export function saveIndexState(path: string, { checkpoint, account, entries }: KeptIndex): void {
  const state = {
    note: noteOf(checkpoint),
    covered: account.covered,
    peaks: account.peaks.map(bytesToHex),
    entries: entries.map((entry) => bytesToHex(encodeAccountEntry(entry))).join(''),
  };
  writePrivate(path, `${JSON.stringify(fileOf(state))}\n`);
}

/** Null when none of the keys signed its checkpoint. */
export function loadIndexState(path: string, keys: readonly VerifierKey[]): KeptIndex | null {
  const file = readPrivate(path) as Partial<ReturnType<typeof fileOf>> | undefined;
  if (file === undefined) return null;
  const { state } = file;
  if (state === undefined || JSON.stringify(file) !== JSON.stringify(fileOf(state)))
    throw usageError(
      `${path} does not contain the state of an audit by index, or is damaged; without it no audit can compare the index with its past: restore it, or delete it`,
    );
  const checkpoint = parseCheckpoint(state.note);
  const own = keys.filter(({ name }) => name === checkpoint.origin);
  if (!isSignedBy(checkpoint, own)) return null;
  const bytes = hexToBytes(state.entries);
  const entries: AccountEntry[] = [];
  for (let at = 0; at < bytes.length; at += ACCOUNT_ENTRY_LENGTH)
    entries.push(decodeAccountEntry(bytes.subarray(at, at + ACCOUNT_ENTRY_LENGTH)));
  const peaks = state.peaks.map(hexToBytes);
  return { checkpoint, account: { covered: state.covered, count: entries.length, peaks }, entries };
}
