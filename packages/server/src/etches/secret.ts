import { type Keyring, SealBroken } from '../secrets/keyring.ts';
import type { EtchRow, SecretParts } from './row.ts';

const SALT_BYTES = 32;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** Content, salt and signature as one encrypted value, bound to the etch's id. */
export function closeParts(keyring: Keyring, etchId: string, parts: SecretParts): Buffer {
  const signed = parts.signature !== null && parts.signature_key !== null;
  return keyring.close(
    'seal',
    Buffer.concat([
      parts.salt,
      Buffer.from([signed ? 1 : 0]),
      ...(signed ? [parts.signature!, Buffer.from(parts.signature_key!, 'hex')] : []),
      Buffer.from(parts.content),
    ]),
    etchId,
  );
}

/** @throws SealBroken */
export function openParts(keyring: Keyring, etchId: string, sealed: Buffer): SecretParts {
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

/**
 * The hidden parts of a row whose time has come, from wherever they are stored; null after retraction. A value that
 * no key opens is null too: one damaged row must not take the lists it stands in with it.
 */
export function partsOf(keyring: Keyring, row: EtchRow): SecretParts | null {
  if (row.sealed) return openIfWhole(keyring, row.id, row.sealed);
  if (row.content === null || row.salt === null) return null;
  return { content: row.content, salt: row.salt, signature: row.signature, signature_key: row.signature_key };
}

/** The parts, or null where the stored value is damaged or of a key that is gone. */
export function openIfWhole(keyring: Keyring, etchId: string, sealed: Buffer): SecretParts | null {
  try {
    return openParts(keyring, etchId, sealed);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
