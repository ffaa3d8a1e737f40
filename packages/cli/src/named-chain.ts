import type * as Timelock from '@svc/protocol/timelock';
import { failError, reworded } from './exit.ts';
import { readJsonFile } from './input-file.ts';

export async function namedChain(path: string | undefined) {
  const timelock = await import('@svc/protocol/timelock');
  if (path === undefined) return { ...timelock, chain: timelock.QUICKNET };
  const value = await readJsonFile(path);
  return { ...timelock, chain: parsedChain(value, timelock) };
}

/** @throws {CommandError} when the description is malformed */
export const parsedChain = (value: unknown, { parseChainInfo, TimelockError }: typeof Timelock) =>
  reworded(
    () => parseChainInfo(value),
    TimelockError,
    (message) => failError(`FAIL: not a valid description of a drand chain: ${message}`),
  );
