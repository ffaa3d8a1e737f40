import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { verifySignature } from '../ed25519.ts';
import { bytesToHex, hexToBytes } from '../hex.ts';
import { textToBytes } from '../text.ts';
import { fromPadded, toPadded } from '../timelock/base64.ts';
import { bigEndian } from '../timelock/drand-chain.ts';
import {
  ML_DSA_KEY,
  type Note,
  type NoteSignature,
  parseNote,
  TlogError,
  type VerifierKey,
  WITNESS_KEY,
} from './note.ts';

const ML_DSA_BYTES = 2_420;

/** C2SP tlog-checkpoint. */
export interface Checkpoint extends Note {
  origin: string;
  size: number;
  root: Uint8Array;
}

/**
 * @example
 * checkpointText({ origin: 'example.com/log', size: 1, root: new Uint8Array(32) }).split('\n')[1]; // '1'
 */
export const checkpointText = ({
  origin,
  size,
  root,
}: Pick<Checkpoint, 'origin' | 'size' | 'root'>): string => `${origin}\n${size}\n${toPadded(root)}\n`;

/**
 * Does not check the signatures.
 * @throws {TlogError}
 * @example
 * const note = checkpointText({ origin: 'example.com/log', size: 1, root: new Uint8Array(32) });
 * parseCheckpoint(`${note}\n\u2014 example.com/log AAAAAAE=\n`).size; // 1
 */
export function parseCheckpoint(text: string): Checkpoint {
  const note = parseNote(text);
  const [origin, size, encoded, ...rest] = note.text.split('\n');
  const root = encoded === undefined ? null : fromPadded(encoded);
  const isWhole = rest.length > 0 && rest.at(-1) === '' && rest.slice(0, -1).every((line) => line !== '');
  if (!origin || !isSize(size) || root?.length !== 32 || !isWhole)
    throw new TlogError('a checkpoint is an origin, a size and a root of 32 bytes, each on its line');
  return { ...note, origin, size: Number(size), root };
}

const isSize = (text: string | undefined): text is string =>
  text !== undefined && /^(?:0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text));

/**
 * @throws {TlogError} unless it is a number without leading zeros
 * @example
 * parseSize('12'); // 12
 */
export function parseSize(text: string): number {
  if (!isSize(text)) throw new TlogError('a size is a number without leading zeros');
  return Number(text);
}

/**
 * Signed by an Ed25519 cosignature (C2SP tlog-cosignature).
 * @param time seconds since 1970
 * @example
 * cosignedText('example.com/log\n1\nAAAA\n', 1679315147).split('\n')[1]; // 'time 1679315147'
 */
export const cosignedText = (text: string, time: number | bigint): string =>
  `cosignature/v1\ntime ${time}\n${text}`;

/**
 * @param time seconds since 1970
 * @example
 * withTime(1679315147, new Uint8Array(64)).length; // 72
 */
export const withTime = (time: number, signature: Uint8Array): Uint8Array =>
  concatBytes(bigEndian(time, 8), signature);

/** `cosigned_message` of C2SP tlog-cosignature; null when the text or the name does not fit. */
function cosignedMessage(text: string, cosigner: string, time: Uint8Array): Uint8Array | null {
  const [origin = '', size = '', encoded = ''] = text.split('\n');
  const [name, log, root] = [textToBytes(cosigner), textToBytes(origin), fromPadded(encoded)];
  if (root?.length !== 32 || !isSize(size) || name.length > 255 || log.length > 255) return null;
  return concatBytes(
    textToBytes('subtree/v1\n'),
    Uint8Array.of(0, name.length),
    name,
    time,
    Uint8Array.of(log.length),
    log,
    new Uint8Array(8),
    bigEndian(Number(size), 8),
    root,
  );
}

/**
 * Seconds since 1970. Null for a wrong signature or a different key. 0 for a cosignature that does not count,
 * because its time is 0 or above 2^53 - 1.
 * @param text of the checkpoint
 * @example
 * const witness = verifierKey('example.com', WITNESS_KEY, new Uint8Array(32));
 * cosignatureTime('a line\n', parseSignatureLine('\u2014 example.com AAAAAAE='), witness); // null
 */
export function cosignatureTime(
  text: string,
  { name, keyId, signature: bytes }: NoteSignature,
  key: VerifierKey,
): number | null {
  if (name !== key.name || keyId !== key.id || bytes.length < 8) return null;
  const stated = bytes.slice(0, 8);
  if (!isCosigned(text, stated, bytes.slice(8), key)) return null;
  const time = Number(secondsOf(stated));
  return Number.isSafeInteger(time) ? time : 0;
}

const secondsOf = (time: Uint8Array): bigint => BigInt(`0x${bytesToHex(time)}`);

function isCosigned(
  text: string,
  time: Uint8Array,
  signature: Uint8Array,
  { type, name, publicKey }: VerifierKey,
): boolean {
  if (type === ML_DSA_KEY) {
    const message = cosignedMessage(text, name, time);
    const isWhole = message !== null && signature.length === ML_DSA_BYTES;
    return isWhole && ml_dsa44.verify(signature, message, hexToBytes(publicKey));
  }
  const message = textToBytes(cosignedText(text, secondsOf(time)));
  return (
    type === WITNESS_KEY &&
    signature.length === 64 &&
    verifySignature({ publicKey, message, signature: bytesToHex(signature) })
  );
}
