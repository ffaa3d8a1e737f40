import type { Keyring } from '../../platform/secrets/keyring.ts';

/** Tokens never leave the server. */
export interface Tokens {
  access: string;
  expiresAt: number | undefined;
  refresh: string | undefined;
  id: string | undefined;
}

export function closeTokens(keyring: Keyring, hash: Buffer, tokens: Tokens): Buffer {
  return keyring.close('web-session', Buffer.from(JSON.stringify(tokens)), boundTo(hash));
}

export function openTokens(keyring: Keyring, hash: Buffer, closed: Uint8Array): Tokens {
  return JSON.parse(keyring.open('web-session', closed, boundTo(hash)).toString('utf8')) as Tokens;
}

const boundTo = (hash: Buffer): string => `session ${hash.toString('hex')}`;
