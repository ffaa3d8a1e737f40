import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { verifySignature } from './ed25519.ts';
import { bytesToHex, hexToBytes, isHex, isUuid } from './hex.ts';
import { isDay, isTime } from './time.ts';
import { foldProof, type Sha256 } from './tree.ts';

/** Never changes (docs/specification.md#versioning). */
export const PROMISE_TAG = 'svc-promise:v3';
export const PROMISE_DAYS = 2;
/** One signature covers at most 256 promises. */
export const MAX_PROMISE_PATH = 8;

const DAY_MS = 86_400_000;
const HASH = 32;
const TOPIC = /^[a-z][a-z0-9_-]{0,39}$/;

/** The hash does not cover these fields. */
export interface PublicFields {
  description: string;
  topic: string;
  mode: 'instant' | 'delayed';
  /** null: instant */
  revealAt: string | null;
  challengeId: string | null;
}

export interface PromiseFields extends Omit<PublicFields, 'description'> {
  etchId: string;
  userId: string;
  hash: string;
  /** last UTC day, `2026-01-04` */
  anchorBy: string;
  descriptionHash: string;
  /** `promiseWords` of the accepted content */
  words: string;
}

type Field = readonly [
  name: keyof PromiseFields,
  what: string,
  fits: (value: string, mode: string | undefined) => boolean,
];

const isHash = (value: unknown): value is string => isHex(value, HASH);

/** The parts of the text, in order; `-` is null. */
const FORM: readonly Field[] = [
  ['etchId', 'an etch id', isUuid],
  ['userId', 'a user id', isUuid],
  ['hash', 'a hash', isHash],
  ['anchorBy', 'a day', isDay],
  ['descriptionHash', 'the SHA-256 of a description', isHash],
  ['topic', 'a topic', (value) => TOPIC.test(value)],
  ['mode', 'a mode', (value) => value === 'instant' || value === 'delayed'],
  [
    'revealAt',
    'the reveal time of its mode',
    (value, mode) => (mode === 'instant' ? value === '-' : isTime(value)),
  ],
  ['challengeId', 'a challenge id or -', (value) => value === '-' || isUuid(value)],
  ['words', 'the SHA-256 of the words', isHash],
];

/** In the answer to `POST /etches` (docs/protocol.md#410-promises). */
export interface SignedPromise {
  text: string;
  /** from leaf to root */
  path: string[];
  public_key: string;
  /** of `svc-promises:v1|<root>` */
  signature: string;
  /** binds the content */
  nonce?: string | undefined;
}

/**
 * `sha256("svc-words:v1|" + nonce + "|" + content)` in hex. The service does not store the nonce.
 * @param nonce 32 bytes in hex
 * @example
 * const { fields } = parsePromise(promise);
 * promiseWords(promise.nonce, content) === fields.words; // true
 */
export const promiseWords = (nonce: string, content: string, sha256: Sha256 = nobleSha256): string =>
  bytesToHex(sha256(utf8ToBytes(`svc-words:v1|${nonce}|${content}`)));

/**
 * SHA-256 in hex.
 * @example
 * hashDescription('A tide').length; // 64
 */
export const hashDescription = (description: string, sha256: Sha256 = nobleSha256): string =>
  bytesToHex(sha256(utf8ToBytes(description)));

/**
 * `svc-promise:v3|<etch id>|<user id>|<hash>|<anchor by>|<sha256 of the description>|<topic>|<mode>|<reveal_at or ->|<challenge id or ->|<words>`
 * (docs/protocol.md#410-promises).
 * @example
 * const { fields } = parsePromise(promise);
 * promiseText(fields) === promise.text; // true
 */
export const promiseText = (fields: PromiseFields): string =>
  [PROMISE_TAG, ...FORM.map(([name]) => fields[name] ?? '-')].join('|');

/**
 * `sha256(0x00 || text)`
 * @example
 * bytesToHex(promiseLeaf(promise.text)).length; // 64
 */
export function promiseLeaf(text: string, sha256: Sha256 = nobleSha256): Uint8Array {
  const bytes = utf8ToBytes(text);
  const data = new Uint8Array(1 + bytes.length);
  data.set(bytes, 1);
  return sha256(data);
}

/**
 * The service signs this text for all promises under one root.
 * @example
 * promisesText(new Uint8Array(32)).startsWith('svc-promises:v1|0000'); // true
 */
export const promisesText = (root: Uint8Array): string => `svc-promises:v1|${bytesToHex(root)}`;

/**
 * @param createdOn UTC, `2026-01-02`
 * @example
 * anchorBy('2026-12-31'); // '2027-01-02'
 */
export const anchorBy = (createdOn: string): string =>
  new Date(Date.parse(createdOn) + PROMISE_DAYS * DAY_MS).toISOString().slice(0, 10);

/**
 * When an etch without an anchor breaks its promise, in milliseconds since 1970.
 * @example
 * new Date(promiseEnd('2026-01-04')).toISOString(); // '2026-01-05T00:00:00.000Z'
 */
export const promiseEnd = (day: string): number => Date.parse(day) + DAY_MS;

export class PromiseError extends Error {
  override name = 'PromiseError';
}

/**
 * Does not check the signature.
 * @throws {PromiseError}
 * @example
 * parsePromise(promise).fields.anchorBy; // '2026-01-04'
 */
export function parsePromise(value: unknown): { promise: SignedPromise; fields: PromiseFields } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PromiseError('the promise is not an object');
  const { text, path, public_key: publicKey, signature, nonce } = value as Record<string, unknown>;
  if (!isHex(publicKey, 32)) throw new PromiseError('public_key is not 64 lower-case hex digits');
  if (!isHex(signature, 64)) throw new PromiseError('signature is not 128 lower-case hex digits');
  if (nonce != null && !isHex(nonce, 32)) throw new PromiseError('nonce is not 64 lower-case hex digits');
  if (!Array.isArray(path) || path.length > MAX_PROMISE_PATH || !path.every(isHash))
    throw new PromiseError(`path is not a list of at most ${MAX_PROMISE_PATH} hashes in lower-case hex`);
  if (typeof text !== 'string') throw new PromiseError('text is not a string');
  return {
    promise: { text, path, public_key: publicKey, signature, ...(nonce == null ? {} : { nonce }) },
    fields: parseText(text),
  };
}

function parseText(text: string): PromiseFields {
  const [tag, ...values] = text.split('|');
  if (tag !== PROMISE_TAG) throw new PromiseError(`text does not begin with ${PROMISE_TAG}`);
  const mode = values[FORM.findIndex(([name]) => name === 'mode')];
  for (const [at, [, what, fits]] of FORM.entries())
    if (!fits(values[at] ?? '', mode)) throw new PromiseError(`text does not hold ${what} where it belongs`);
  if (values.length > FORM.length) throw new PromiseError('text has more fields than a promise has');
  const fields = FORM.map(([name], at) => [name, values[at] === '-' ? null : values[at]] as const);
  return Object.fromEntries(fields) as unknown as PromiseFields;
}

/**
 * The key must sign the root of text and path.
 * @example
 * isPromiseSigned(promise); // true
 * isPromiseSigned({ ...promise, text: promise.text.replace('2026-01-04', '2026-01-05') }); // false
 */
export function isPromiseSigned({ text, path, public_key: publicKey, signature }: SignedPromise): boolean {
  const root = foldProof(promiseLeaf(text), path.map(hexToBytes));
  return verifySignature({ publicKey, message: promisesText(root), signature });
}
