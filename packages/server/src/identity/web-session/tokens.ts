import type { Keyring } from '../../secrets/keyring.ts';

/** The issuer's tokens from sign-in. They stay on the server, encrypted at rest. */
export interface Tokens {
  access: string;
  /** milliseconds since 1970; undefined when the issuer did not say */
  expiresAt: number | undefined;
  refresh: string | undefined;
  id: string | undefined;
}

/** Encrypts the tokens for their session: they cannot be decrypted in another row. */
export function closeTokens(keyring: Keyring, hash: Buffer, tokens: Tokens): Buffer {
  return keyring.close('web-session', Buffer.from(JSON.stringify(tokens)), boundTo(hash));
}

/** @throws SealBroken */
export function openTokens(keyring: Keyring, hash: Buffer, closed: Uint8Array): Tokens {
  return JSON.parse(keyring.open('web-session', closed, boundTo(hash)).toString('utf8')) as Tokens;
}

const boundTo = (hash: Buffer): string => `session ${hash.toString('hex')}`;
