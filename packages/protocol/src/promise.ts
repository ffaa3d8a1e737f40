import { verifySignature } from './ed25519.ts';
import { isHex, isUuid } from './hex.ts';
import { isDay } from './time.ts';

/** Fixed for ever, as all tags are (docs/specification.md#versioning). */
export const PROMISE_TAG = 'svc-promise:v1';
/** Days after the day of an etch by whose end it is promised to be anchored. */
export const PROMISE_DAYS = 2;

const DAY_MS = 86_400_000;

/** What the service promises of an etch that it has taken. */
export interface PromiseParts {
  etchId: string;
  userId: string;
  /** 64 lower-case hex digits */
  hash: string;
  /** the last UTC day on which it may be anchored, `2026-01-04` */
  anchorBy: string;
}

/** As the answer to `POST /etches` carries it beside the etch (docs/protocol.md#10-promises). */
export interface SignedPromise {
  /** what is signed; it holds every part */
  text: string;
  /** Ed25519, 32 bytes in hex */
  public_key: string;
  /** 64 bytes in hex */
  signature: string;
}

/**
 * `svc-promise:v1|<etch id>|<user id>|<hash>|<anchor by>` (docs/protocol.md#10-promises).
 * @example
 * promiseText({
 *   etchId: 'ba2700ee-b11f-45fe-a934-06098975d379',
 *   userId: '57d62c05-afa3-418c-ab9f-1256350f928d',
 *   hash: 'ab'.repeat(32),
 *   anchorBy: '2026-01-04',
 * }).startsWith('svc-promise:v1|ba2700ee-b11f-45fe-a934-06098975d379|'); // true
 */
export const promiseText = ({ etchId, userId, hash, anchorBy }: PromiseParts): string =>
  `${PROMISE_TAG}|${etchId}|${userId}|${hash}|${anchorBy}`;

/**
 * The last day on which an etch is promised to be anchored, by its day, which is public from the first moment: so the
 * promise tells nothing about its time.
 * @param createdOn UTC, `2026-01-02`
 * @example
 * anchorBy('2026-12-31'); // '2027-01-02'
 */
export const anchorBy = (createdOn: string): string =>
  new Date(Date.parse(createdOn) + PROMISE_DAYS * DAY_MS).toISOString().slice(0, 10);

/**
 * From when on the promise is broken if the etch is not anchored: the end of the day, in milliseconds since 1970.
 * @example
 * new Date(promiseEnd('2026-01-04')).toISOString(); // '2026-01-05T00:00:00.000Z'
 */
export const promiseEnd = (day: string): number => Date.parse(day) + DAY_MS;

/** A promise that cannot be read. */
export class PromiseError extends Error {
  override name = 'PromiseError';
}

/**
 * Reads a promise strictly; whether its signature verifies is not looked at.
 * @throws {PromiseError} on anything malformed
 * @example
 * const { parts } = parsePromise(promise);
 * parts.anchorBy; // '2026-01-04'
 */
export function parsePromise(value: unknown): { promise: SignedPromise; parts: PromiseParts } {
  const { promise, parts, rest } = promiseFields(value, PROMISE_TAG);
  if (rest.length > 0) throw new PromiseError(MADE_OF);
  return { promise, parts };
}

const MADE_OF = 'text is not made of an etch id, a user id, a hash and a day';

/** What every version begins with, and the fields of its text that follow. @throws {PromiseError} */
export function promiseFields(
  value: unknown,
  expectedTag: string,
): { promise: SignedPromise; parts: PromiseParts; rest: string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PromiseError('the promise is not an object');
  const { text, public_key: publicKey, signature } = value as Record<string, unknown>;
  if (!isHex(publicKey, 32)) throw new PromiseError('public_key is not 64 lower-case hex digits');
  if (!isHex(signature, 64)) throw new PromiseError('signature is not 128 lower-case hex digits');
  if (typeof text !== 'string') throw new PromiseError('text is not a string');
  const [tag, etchId, userId, hash, day, ...rest] = text.split('|');
  if (tag !== expectedTag) throw new PromiseError(`text does not begin with ${expectedTag}`);
  if (!isUuid(etchId) || !isUuid(userId) || !isHex(hash, 32) || !isDay(day)) throw new PromiseError(MADE_OF);
  return {
    promise: { text, public_key: publicKey, signature },
    parts: { etchId, userId, hash, anchorBy: day },
    rest,
  };
}

/**
 * Did the holder of its key sign it? Strictly, as all signatures are checked.
 * @example
 * isPromiseSigned(promise); // true
 * isPromiseSigned({ ...promise, text: promise.text.replace('2026-01-04', '2026-01-05') }); // false
 */
export const isPromiseSigned = ({ text, public_key: publicKey, signature }: SignedPromise): boolean =>
  verifySignature({ publicKey, message: text, signature });
