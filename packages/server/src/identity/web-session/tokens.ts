import type { Keyring } from '../../platform/secrets/keyring.ts';

/** Never leave the server; encrypted at rest. */
export interface Tokens {
  access: string;
  /** ms since 1970; undefined when unknown */
  expiresAt: number | undefined;
  refresh: string | undefined;
  id: string | undefined;
}

/** Bound to their session's row. */
export function closeTokens(keyring: Keyring, hash: Buffer, tokens: Tokens): Buffer {
  return keyring.close('web-session', Buffer.from(JSON.stringify(tokens)), boundTo(hash));
}

/** @throws SealBroken */
export function openTokens(keyring: Keyring, hash: Buffer, closed: Uint8Array): Tokens {
  return JSON.parse(keyring.open('web-session', closed, boundTo(hash)).toString('utf8')) as Tokens;
}

const boundTo = (hash: Buffer): string => `session ${hash.toString('hex')}`;
