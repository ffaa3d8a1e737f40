import { hash } from 'node:crypto';
import type { KeptIndex } from '@svc/verifier/account-index';
import { readPrivate, writePrivate } from '../config-folder.ts';
import { usageError } from '../exit.ts';

const FORMAT = 'svc-audit-index:v1';

const fileOf = (state: KeptIndex) => ({
  format: FORMAT,
  sha256: hash('sha256', JSON.stringify(state)),
  state,
});

export const saveIndexState = (path: string, kept: KeptIndex): void =>
  writePrivate(path, `${JSON.stringify(fileOf(kept))}\n`);

export function loadIndexState(path: string): KeptIndex | null {
  const file = readPrivate(path) as Partial<ReturnType<typeof fileOf>> | undefined;
  if (file === undefined) return null;
  const { state } = file;
  if (state !== undefined && JSON.stringify(file) === JSON.stringify(fileOf(state))) return state;
  throw usageError(
    `${path} does not contain the state of an audit by index, or is damaged; without it no audit can compare the index with its past: restore it, or delete it`,
  );
}
