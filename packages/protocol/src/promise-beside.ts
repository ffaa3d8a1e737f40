import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { bytesToHex, isHex, isUuid } from './hex.ts';
import { PromiseError, promiseFields, promiseText } from './promise.ts';
import type { PromiseParts, SignedPromise } from './promise.ts';
import { isTime } from './time.ts';

/** Fixed for ever, as all tags are (docs/specification.md#versioning). */
export const PROMISE_V2_TAG = 'svc-promise:v2';

/** What stands beside the words of an etch and is not in its hash. */
export interface Beside {
  description: string;
  /** the topic's id */
  topic: string;
  mode: 'instant' | 'delayed';
  /** null for an instant etch */
  revealAt: string | null;
  challengeId: string | null;
}

/** The same as a promise holds it: of the description only its SHA-256, 64 lower-case hex digits. */
export type PromisedBeside = Omit<Beside, 'description'> & { descriptionHash: string };

const TOPIC = /^[a-z][a-z0-9_-]{0,39}$/;

/**
 * What a promise of version 2 holds of what stands beside the words.
 * @example
 * const beside = { topic: 'science', mode: 'instant', revealAt: null, challengeId: null };
 * promisedBeside({ ...beside, description: 'A tide' }).descriptionHash.length; // 64
 */
export const promisedBeside = ({ description, ...rest }: Beside): PromisedBeside => ({
  ...rest,
  descriptionHash: bytesToHex(sha256(utf8ToBytes(description))),
});

/**
 * `svc-promise:v2|<etch id>|<user id>|<hash>|<anchor by>|<sha256 of the description>|<topic>|<mode>|<reveal_at or ->|<challenge id or ->`
 * (docs/protocol.md#10-promises).
 * @example
 * const { promise: text, parts, beside } = parsePromiseV2(promiseV2);
 * promiseTextV2(parts, beside) === text.text; // true
 */
export function promiseTextV2(parts: PromiseParts, beside: PromisedBeside): string {
  const { descriptionHash, topic, mode, revealAt, challengeId } = beside;
  const [, ...fields] = promiseText(parts).split('|');
  return [PROMISE_V2_TAG, ...fields, descriptionHash, topic, mode, revealAt ?? '-', challengeId ?? '-'].join(
    '|',
  );
}

/**
 * Reads a promise of version 2 strictly; whether its signature verifies is not looked at.
 * @throws {PromiseError} on anything malformed
 * @example
 * const { parts, beside } = parsePromiseV2(promiseV2);
 * parts.anchorBy; // '2026-01-04'
 * beside.topic; // 'science'
 */
export function parsePromiseV2(value: unknown): {
  promise: SignedPromise;
  parts: PromiseParts;
  beside: PromisedBeside;
} {
  const { promise, parts, rest } = promiseFields(value, PROMISE_V2_TAG);
  const [descriptionHash, topic, mode, revealAt, challengeId, ...more] = rest;
  if (
    !isHex(descriptionHash, 32) ||
    topic === undefined ||
    !TOPIC.test(topic) ||
    (mode !== 'instant' && mode !== 'delayed') ||
    !(mode === 'instant' ? revealAt === '-' : isTime(revealAt)) ||
    !(challengeId === '-' || isUuid(challengeId)) ||
    more.length > 0
  )
    throw new PromiseError(
      'text does not go on with the SHA-256 of a description, a topic, a mode, its reveal time and a challenge',
    );
  return {
    promise,
    parts,
    beside: {
      descriptionHash,
      topic,
      mode,
      revealAt: mode === 'instant' ? null : revealAt!,
      challengeId: challengeId === '-' ? null : challengeId,
    },
  };
}
