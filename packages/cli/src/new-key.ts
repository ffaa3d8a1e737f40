import { rmSync } from 'node:fs';
import { ApiError, ConnectionError, MisfitError } from '@svc/sdk';
import type { KeyPair } from '@svc/sdk';
import { writeNumbered } from './config-folder.ts';

/**
 * Registers a new key pair. The pair is stored in a file next to the profiles until `register` has stored the account, so that a lost answer
 * loses no account. When the service rejects the registration, the file is removed.
 * @param unsure receives the file when `register` failed and the account may exist; `svc register --recover --key <file>` finds out
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

/** Did the service reject the request, or not receive it? After any other error the account may exist. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectionError
    ? !error.mayHaveHappened
    : error instanceof ApiError && !(error instanceof MisfitError) && error.status < 500;
