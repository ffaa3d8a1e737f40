import { rmSync } from 'node:fs';
import { ApiError, ConnectionError, MisfitError } from '@svc/sdk';
import type { KeyPair } from '@svc/sdk';
import { writeNumbered } from './config-folder.ts';

/**
 * Registers a new key pair. The pair is kept in a file next to the profiles until `register` has stored its account, so that a lost answer
 * loses no account. A refusal removes the file: the pair is no account, and no profile was made for it.
 * @param unsure receives the file when the account may exist although `register` failed; `svc register --recover --key <file>` finds out
 */
export async function withNewKey<T>(
  profiles: string,
  name: string,
  { secretKey }: KeyPair,
  register: () => Promise<T>,
  unsure: (file: string) => void,
): Promise<T> {
  const file = keepAside(profiles, name, secretKey);
  try {
    const made = await register();
    rmSync(file, { force: true });
    return made;
  } catch (error) {
    if (isRefusal(error)) rmSync(file, { force: true });
    else unsure(file);
    throw error;
  }
}

const keepAside = (profiles: string, name: string, secretKey: string): string =>
  writeNumbered(`${profiles}.${name.replaceAll(/[^\w.-]/g, '_')}.unconfirmed`, `${secretKey}\n`);

/** Did the service refuse, or never get the request? After any other error it may have made the account. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionError
    ? !error.mayHaveHappened
    : error instanceof ApiError && !(error instanceof MisfitError) && error.status < 500;
