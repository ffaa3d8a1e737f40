import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { verifySignature } from '../ed25519.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { textToBytes } from '../text.ts';
import { fromPadded, toPadded } from '../timelock/base64.ts';

export class TlogError extends Error {
  override name = 'TlogError';
}

/** C2SP signed-note. */
export const LOG_KEY = 1;
export const WITNESS_KEY = 4;
/** A witness with ML-DSA-44. */
export const ML_DSA_KEY = 6;

const KEY_BYTES = { [LOG_KEY]: 32, [WITNESS_KEY]: 32, [ML_DSA_KEY]: 1_312 };

/** C2SP signed-note. */
export interface VerifierKey {
  name: string;
  /** 4 bytes in hex */
  id: string;
  type: keyof typeof KEY_BYTES;
  /** in hex */
  publicKey: string;
}

export interface NoteSignature {
  name: string;
  /** 4 bytes in hex */
  keyId: string;
  signature: Uint8Array;
  line: string;
}

export interface Note {
  text: string;
  signatures: NoteSignature[];
}

const MOST_SIGNATURES = 64;
const MOST_LENGTH = 100_000;
const NAME = /^[^+\p{White_Space}]+$/u;
const SIGNATURE_LINE = /^\u2014 ([^ ]+) ([A-Za-z0-9+/]+={0,2})$/u;

/**
 * With padding.
 * @example
 * encodeBase64(Uint8Array.of(1)); // 'AQ=='
 */
export const encodeBase64 = (bytes: Uint8Array): string => toPadded(bytes);

/**
 * Null unless canonical and padded.
 * @example
 * decodeBase64('AQ=='); // Uint8Array.of(1)
 */
export const decodeBase64 = (text: string): Uint8Array | null => fromPadded(text);

/**
 * Derives the id (C2SP signed-note).
 * @param publicKey 32 bytes; ML-DSA-44: 1,312
 * @throws {TlogError} on a name with a space or a plus sign
 * @example
 * verifierKey('example.com/log', LOG_KEY, new Uint8Array(32)).name; // 'example.com/log'
 */
export function verifierKey(name: string, type: VerifierKey['type'], publicKey: Uint8Array): VerifierKey {
  if (!NAME.test(name)) throw new TlogError('the name of a key has no space and no plus sign');
  const id = sha256(concatBytes(textToBytes(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, 4);
  return { name, id: bytesToHex(id), type, publicKey: bytesToHex(publicKey) };
}

/**
 * `<name>+<id>+<base64>`
 * @example
 * writeVerifierKey('example.com/log', LOG_KEY, new Uint8Array(32)).startsWith('example.com/log+'); // true
 */
export function writeVerifierKey(name: string, type: VerifierKey['type'], publicKey: Uint8Array): string {
  const { id } = verifierKey(name, type, publicKey);
  return `${name}+${id}+${toPadded(concatBytes(Uint8Array.of(type), publicKey))}`;
}

/**
 * @throws {TlogError}
 * @example
 * parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k').id; // '530d903a'
 */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = encoded === undefined ? null : fromPadded(encoded);
  if (name === undefined || bytes === null)
    throw new TlogError('a key is <name>+<8 hex digits>+<base64 of a type and the key>');
  const type = bytes[0];
  if (type !== LOG_KEY && type !== WITNESS_KEY && type !== ML_DSA_KEY)
    throw new TlogError('keys of type 1 (a log), 4 and 6 (a witness) are read');
  if (bytes.length !== 1 + KEY_BYTES[type]) throw new TlogError(`the key ${name} has the wrong length`);
  const key = verifierKey(name, type, bytes.slice(1));
  if (key.id !== id) throw new TlogError(`the id of the key ${name} does not match its bytes`);
  return key;
}

/**
 * Does not check the signatures (C2SP signed-note). Returns equal ones once.
 * @throws {TlogError}
 * @example
 * parseNote('a line\n\n\u2014 example.com AAAAAAE=\n').text; // 'a line\n'
 */
export function parseNote(note: string): Note {
  // eslint-disable-next-line no-control-regex
  if (note.length > MOST_LENGTH || /[\0-\x09\x0b-\x1f]/.test(note))
    throw new TlogError('a note is text of at most 100,000 characters without control characters');
  const cut = note.lastIndexOf('\n\n');
  if (cut < 0 || !note.endsWith('\n')) throw new TlogError('a note is text, an empty line, and signatures');
  const lines = note.slice(cut + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES) throw new TlogError(`a note has at most ${MOST_SIGNATURES} signatures`);
  return { text: note.slice(0, cut + 1), signatures: [...new Set(lines)].map(parseSignatureLine) };
}

/**
 * @throws {TlogError}
 * @example
 * parseSignatureLine('\u2014 example.com AAAAAAE=').name; // 'example.com'
 */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name, encoded] = SIGNATURE_LINE.exec(line) ?? [];
  const bytes = encoded === undefined ? null : fromPadded(encoded);
  if (name === undefined || !NAME.test(name) || bytes === null || bytes.length < 5)
    throw new TlogError('a signature line is a dash, a name and base64');
  return { name, keyId: bytesToHex(bytes.slice(0, 4)), signature: bytes.slice(4), line };
}

/**
 * @param signature without the key id
 * @example
 * signatureLine(verifierKey('example.com', LOG_KEY, new Uint8Array(32)), new Uint8Array(64)).length; // 106
 */
export const signatureLine = ({ name, id }: VerifierKey, signature: Uint8Array): string =>
  `\u2014 ${name} ${toPadded(concatBytes(hexToBytes(id), signature))}`;

/**
 * At least one log key signed the note, and no signature under these keys is wrong.
 * @example
 * isSignedBy(parseNote('a line\n\n\u2014 example.com AAAAAAE=\n'), []); // false
 */
export function isSignedBy({ text, signatures }: Note, keys: readonly VerifierKey[]): boolean {
  const ofKeys = signatures.flatMap(({ name, keyId, signature }) =>
    keys
      .filter((key) => key.name === name && key.id === keyId && key.type === LOG_KEY)
      .map((key) => ({ key, signature: bytesToHex(signature) })),
  );
  const message = textToBytes(text);
  return (
    ofKeys.length > 0 &&
    ofKeys.every(({ key: { publicKey }, signature }) => verifySignature({ publicKey, message, signature }))
  );
}
