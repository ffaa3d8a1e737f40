// Encrypts and decrypts what a sealed etch hides: words, salt and signature.
import { type Keyring, SealBroken } from '../platform/secrets/keyring.ts';
import type { EtchRow, HiddenFields } from './row.ts';

const SALT_BYTES = 32;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

export function encryptHidden(keyring: Keyring, etchId: string, hidden: HiddenFields): Buffer {
  const signed = hidden.signature !== null && hidden.signature_key !== null;
  return keyring.close(
    'seal',
    Buffer.concat([
      hidden.salt,
      Buffer.from([signed ? 1 : 0]),
      ...(signed ? [hidden.signature!, Buffer.from(hidden.signature_key!, 'hex')] : []),
      Buffer.from(hidden.content),
    ]),
    etchId,
  );
}

export function decryptHidden(keyring: Keyring, etchId: string, sealed: Buffer): HiddenFields {
  const plain = keyring.open('seal', sealed, etchId);
  const signed = plain[SALT_BYTES] === 1;
  const start = SALT_BYTES + 1;
  const contentStart = start + (signed ? SIGNATURE_BYTES + KEY_BYTES : 0);
  return {
    salt: plain.subarray(0, SALT_BYTES),
    signature: signed ? plain.subarray(start, start + SIGNATURE_BYTES) : null,
    signature_key: signed ? plain.subarray(start + SIGNATURE_BYTES, contentStart).toString('hex') : null,
    content: plain.toString('utf8', contentStart),
  };
}

/** @returns null after retraction, or if decryption fails, so that a list with a damaged row works */
export function readHidden(keyring: Keyring, row: EtchRow): HiddenFields | null {
  if (row.sealed) return decryptIfIntact(keyring, row.id, row.sealed);
  if (row.content === null || row.salt === null) return null;
  return { content: row.content, salt: row.salt, signature: row.signature, signature_key: row.signature_key };
}

export function decryptIfIntact(keyring: Keyring, etchId: string, sealed: Buffer): HiddenFields | null {
  try {
    return decryptHidden(keyring, etchId, sealed);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
