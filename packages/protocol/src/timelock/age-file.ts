import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { type AgeFile, NONCE_BYTES, TAG_BYTES as TAG } from './age-header.ts';
import { fromPadded, toBase64, toPadded } from './base64.ts';
import { bigEndian, TimelockError } from './drand-chain.ts';

// age, version 1 (C2SP), with one recipient `tlock <round> <chain hash>`, as the tools of drand and age.

const CHUNK = 65_536;
const COLUMNS = 64;
const BEGIN = '-----BEGIN AGE ENCRYPTED FILE-----';
const END = '-----END AGE ENCRYPTED FILE-----';

/**
 * Equal input gives equal output.
 * @param fileKey 16 random bytes, used once
 * @param nonce 16 random bytes
 */
export function writeAge(
  { round, chainHash, wrapped }: Pick<AgeFile, 'round' | 'chainHash' | 'wrapped'>,
  fileKey: Uint8Array,
  nonce: Uint8Array,
  plaintext: Uint8Array,
): Uint8Array {
  const body = inLines(toBase64(wrapped));
  const header = utf8ToBytes(`age-encryption.org/v1\n-> tlock ${round} ${chainHash}\n${body}\n---`);
  const mac = utf8ToBytes(` ${toBase64(macOf(fileKey, header))}\n`);
  const key = payloadKey(fileKey, nonce);
  const count = Math.max(1, Math.ceil(plaintext.length / CHUNK));
  const chunks = Array.from({ length: count }, (_, at) =>
    chacha20poly1305(key, chunkNonce(at, at === count - 1)).encrypt(
      plaintext.slice(at * CHUNK, (at + 1) * CHUNK),
    ),
  );
  return concatBytes(header, mac, nonce, ...chunks);
}

/** @throws {TimelockError} for a changed byte or a wrong key */
export function openAge({ header, mac, payload }: AgeFile, fileKey: Uint8Array): Uint8Array {
  const right = macOf(fileKey, header);
  if (!mac.every((byte, at) => byte === right[at])) throw new TimelockError('its header was changed');
  const key = payloadKey(fileKey, payload.slice(0, NONCE_BYTES));
  const sealed = payload.slice(NONCE_BYTES);
  const count = Math.max(1, Math.ceil(sealed.length / (CHUNK + TAG)));
  try {
    const chunks = Array.from({ length: count }, (_, at) =>
      chacha20poly1305(key, chunkNonce(at, at === count - 1)).decrypt(
        sealed.slice(at * (CHUNK + TAG), (at + 1) * (CHUNK + TAG)),
      ),
    );
    // An empty last chunk would be a second encoding.
    if (count > 1 && chunks.at(-1)!.length === 0) throw new TimelockError('it ends with nothing');
    return concatBytes(...chunks);
  } catch (error) {
    if (error instanceof TimelockError) throw error;
    throw new TimelockError('what it encrypts was changed');
  }
}

/**
 * Base64 in lines of 64 characters.
 * @example
 * armor(new Uint8Array(1)); // '-----BEGIN AGE ENCRYPTED FILE-----\nAA==\n-----END AGE ENCRYPTED FILE-----\n'
 */
export const armor = (bytes: Uint8Array): string => `${BEGIN}\n${inLines(toPadded(bytes))}\n${END}\n`;

/**
 * Accepts only what `armor` writes.
 * @throws {TimelockError}
 * @example
 * unarmor(armor(Uint8Array.of(7))); // Uint8Array.of(7)
 */
export function unarmor(text: string): Uint8Array {
  const lines = text.split('\n');
  const bytes = fromPadded(lines.slice(1, -2).join(''));
  if (bytes === null || armor(bytes) !== text) throw new TimelockError('it is not an armored age file');
  return bytes;
}

const inLines = (text: string): string => (text.match(new RegExp(`.{1,${COLUMNS}}`, 'g')) ?? []).join('\n');
const macOf = (fileKey: Uint8Array, header: Uint8Array): Uint8Array =>
  hmac(sha256, hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32), header);
const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array): Uint8Array =>
  hkdf(sha256, fileKey, nonce, utf8ToBytes('payload'), 32);
const chunkNonce = (at: number, isLast: boolean): Uint8Array =>
  concatBytes(bigEndian(at, 11), Uint8Array.of(isLast ? 1 : 0));
