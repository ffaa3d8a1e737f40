import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes, isHex } from './hex.ts';
import { textToBytes } from './text.ts';

const SIGNATURE_HEX = /^[0-9a-f]{128}$/i;

/**
 * Is it an Ed25519 public key that can stand for one holder (DECISIONS.md §3): 32 bytes in lower-case hex,
 * canonically encoded, on the curve, not of small order? For a small-order key one signature fits every message.
 */
export function isStrictPublicKey(hex: unknown): hex is string {
  if (!isHex(hex, 32)) return false;
  try {
    return !ed25519.Point.fromBytes(hexToBytes(hex), false).isSmallOrder();
  } catch {
    return false;
  }
}

/** A public key in lower case, when it is a strict one; else null. Two spellings are one key. */
export function normalizePublicKey(hex: unknown): string | null {
  if (typeof hex !== 'string') return null;
  const lower = hex.toLowerCase();
  return isStrictPublicKey(lower) ? lower : null;
}

/**
 * Verifies an Ed25519 signature strictly (RFC 8032): strict key, canonical R and S. Bad input is `false`, never
 * an exception.
 * @param input.publicKey 32 bytes in lower-case hex
 * @param input.message the signed string, signed as UTF-8, or its bytes
 * @param input.signature 64 bytes in hex
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
    return ed25519.verify(hexToBytes(signature), bytes, hexToBytes(publicKey), { zip215: false });
  } catch {
    return false;
  }
}
