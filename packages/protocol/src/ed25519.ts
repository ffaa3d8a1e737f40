import { ed25519 } from '@noble/curves/ed25519.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, isHex } from './hex.ts';
import { textToBytes } from './text.ts';

const { Point } = ed25519;
const SIGNATURE_HEX = /^[0-9a-f]{128}$/i;

/**
 * 32 bytes in lower-case hex: a canonical point that is not of small order (docs/protocol.md#43-signatures).
 * Under a small-order key, one signature fits every message.
 * @example
 * isStrictPublicKey(promise.public_key); // true
 * isStrictPublicKey('01'.padEnd(64, '0')); // false
 */
export function isStrictPublicKey(hex: unknown): hex is string {
  if (!isHex(hex, 32)) return false;
  try {
    return !Point.fromBytes(hexToBytes(hex), false).isSmallOrder();
  } catch {
    return false;
  }
}

/**
 * In lower case; null when the key is not strict.
 * @example
 * normalizePublicKey(promise.public_key.toUpperCase()); // promise.public_key
 */
export function normalizePublicKey(hex: unknown): string | null {
  if (typeof hex !== 'string') return null;
  const lower = hex.toLowerCase();
  return isStrictPublicKey(lower) ? lower : null;
}

/**
 * Ed25519 without a cofactor (docs/protocol.md#43-signatures). False for malformed input.
 * @param input.message a text is signed as UTF-8
 * @example
 * // the first example of RFC 8032
 * verifySignature({
 *   publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
 *   message: '',
 *   signature:
 *     'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
 * }); // true
 */
export function verifySignature(input: {
  publicKey: string;
  message: string | Uint8Array;
  signature: string;
}): boolean {
  const { publicKey, message, signature } = input;
  if (typeof signature !== 'string' || !SIGNATURE_HEX.test(signature) || !isStrictPublicKey(publicKey))
    return false;
  try {
    const bytes = typeof message === 'string' ? textToBytes(message) : message;
    const r = signature.slice(0, 64).toLowerCase();
    const s = littleEndian(hexToBytes(signature.slice(64)));
    if (s >= Point.Fn.ORDER) return false;
    const key = hexToBytes(publicKey);
    const digest = sha512.create().update(hexToBytes(r)).update(key).update(bytes).digest();
    const k = littleEndian(digest) % Point.Fn.ORDER;
    const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(key, false).multiplyUnsafe(k));
    return bytesToHex(expected.toBytes()) === r;
  } catch {
    return false;
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes.slice().reverse())}`);
}
