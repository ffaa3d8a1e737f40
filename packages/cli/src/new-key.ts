import { rmSync } from 'node:fs';
import { ApiError, ConnectionError, type KeyPair, MisfitError } from '@svc/sdk';
import { writeNumbered } from './config-folder.ts';

/**
 * A file next to the profiles has the key pair until `register` has stored the account, so that a lost answer
 * loses no account.
 * @param unsure receives the file when the account may exist; `svc register --recover --key <file>` finds out
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

/** After any other error the account may exist. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionError
    ? !error.mayHaveHappened
    : error instanceof ApiError && !(error instanceof MisfitError) && error.status < 500;
