import { hash } from 'node:crypto';
import { isSignedBy, parseCheckpoint, type VerifierKey } from '@svc/protocol/tlog';
import { readPrivate, writePrivate } from '../config-folder.ts';
import { usageError } from '../exit.ts';

/** The tree is not attested; `seen`: in the log by then (seconds), 0 once reported. */
export type OpenEntry = [index: number, name: string, seen: number];

export interface LogState {
  subject: string;
  /** the last checkpoint whose entries were all read; during a first audit, the checkpoint at its start */
  note: string;
  /** entries that an interrupted audit had read; absent: those of the checkpoint */
  size?: number;
  edge: string[];
  /** the attested trees that were compared, in the order of the chain */
  chain: { count: number; digest: string };
  open: OpenEntry[];
  late: string[];
}

const FORMAT = 'svc-audit-log:v1';

const fileOf = (state: LogState) => ({
  format: FORMAT,
  sha256: hash('sha256', JSON.stringify(state)),
  state,
});

export const saveLogState = (path: string, state: LogState): void =>
  writePrivate(path, `${JSON.stringify(fileOf(state))}\n`);

/** Null when none of the pinned keys signed its checkpoint. */
export function loadLogState(path: string, keys: readonly VerifierKey[]): LogState | null {
  const file = readPrivate(path) as Partial<ReturnType<typeof fileOf>> | undefined;
  if (file === undefined) return null;
  const { state } = file;
  if (state === undefined || JSON.stringify(file) !== JSON.stringify(fileOf(state)))
    throw usageError(
      `${path} does not hold the checkpoint of an audit, or is damaged; without it no audit can compare the log with its past: restore it, or delete it`,
    );
  const checkpoint = parseCheckpoint(state.note);
  const own = keys.filter(({ name }) => name === checkpoint.origin);
  return isSignedBy(checkpoint, own) ? state : null;
}
