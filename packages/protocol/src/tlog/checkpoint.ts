import { join } from '../join.ts';
import { verifySignature } from '../ed25519.ts';
import { bytesToHex } from '../hex.ts';
import { textToBytes } from '../text.ts';
import { fromPadded, toPadded } from '../timelock/base64.ts';
import {
  type Note,
  type NoteSignature,
  parseNote,
  TlogError,
  type VerifierKey,
  WITNESS_KEY,
} from './note.ts';

/** The head of a log (C2SP tlog-checkpoint). */
export interface Checkpoint extends Note {
  origin: string;
  size: number;
  root: Uint8Array;
}

/**
 * The text of a checkpoint, to be signed.
 * @param root 32 bytes
 * @example
 * checkpointText({ origin: 'example.com/log', size: 1, root: new Uint8Array(32) }).split('\n')[1]; // '1'
 */
export const checkpointText = ({
  origin,
  size,
  root,
}: Pick<Checkpoint, 'origin' | 'size' | 'root'>): string => `${origin}\n${size}\n${toPadded(root)}\n`;

/**
 * Parses a checkpoint with its signatures. It verifies none.
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
 * Parses the size of a log.
 * @throws {TlogError} unless it is a number without leading zeros
 * @example
 * parseSize('12'); // 12
 */
export function parseSize(text: string): number {
  if (!isSize(text)) throw new TlogError('a size is a number without leading zeros');
  return Number(text);
}

/**
 * The message that an Ed25519 cosignature signs (C2SP tlog-cosignature).
 * @param time seconds since 1970
 * @example
 * cosignedText('example.com/log\n1\nAAAA\n', 1679315147).split('\n')[1]; // 'time 1679315147'
 */
export const cosignedText = (text: string, time: number): string => `cosignature/v1\ntime ${time}\n${text}`;

/**
 * A signature with its time in front, as a cosignature has it.
 * @param time seconds since 1970
 * @example
 * withTime(1679315147, new Uint8Array(64)).length; // 72
 */
export function withTime(time: number, signature: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return join(bytes, signature);
}

/**
 * The time of a valid cosignature under the key, in seconds since 1970; null for a wrong one or another key.
 * @param text of the checkpoint
 * @example
 * const witness = verifierKey('example.com', WITNESS_KEY, new Uint8Array(32));
 * cosignatureTime('a line\n', parseSignatureLine('\u2014 example.com AAAAAAE='), witness); // null
 */
export function cosignatureTime(
  text: string,
  { name, keyId, signature }: NoteSignature,
  key: VerifierKey,
): number | null {
  if (key.type !== WITNESS_KEY || name !== key.name || keyId !== key.id || signature.length !== 72)
    return null;
  const time = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0);
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return null;
  const message = textToBytes(cosignedText(text, Number(time)));
  const isValid = verifySignature({
    publicKey: key.publicKey,
    message,
    signature: bytesToHex(signature.slice(8)),
  });
  return isValid ? Number(time) : null;
}
