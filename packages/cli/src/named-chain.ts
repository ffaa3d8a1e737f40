import { readFile } from 'node:fs/promises';
import { failError, inputError } from './exit.ts';
import { parseJson } from './input-file.ts';

export async function namedChain(path: string | undefined) {
  const timelock = await import('@svc/protocol/timelock');
  if (path === undefined) return { ...timelock, chain: timelock.QUICKNET };
  try {
    return { ...timelock, chain: timelock.parseChainInfo(await readJson(path)) };
  } catch (error) {
    if (!(error instanceof timelock.TimelockError)) throw error;
    throw failError(`FAIL: not a valid description of a drand chain: ${error.message}`);
  }
}

export async function readJson(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw inputError(`${path} cannot be read (${error.code})`);
  });
  const value = parseJson(bytes);
  if (value === undefined) throw inputError(`${path} is not JSON`);
  return value;
}
