import type { Etch, EtchPromise, EtchPromiseV2 } from '@svc/contract/types';
import { anchorBy, parsePromise, parsePromiseV2, PromiseError, promisedBeside } from '@svc/protocol';
import type { Beside, PromiseParts } from '@svc/protocol';
import { ApiError } from './errors.ts';

/**
 * What stands beside the words of an etch, as promises of version 2 name it.
 * @example
 * besideOf(etch).topic; // 'science'
 */
export const besideOf = ({ description, category, mode, reveal_at, challenge }: Etch): Beside => ({
  description,
  topic: category.id,
  mode,
  revealAt: reveal_at,
  challengeId: challenge?.id ?? null,
});

/**
 * A promise of something else, or of a later day than an etch of this day has, is worth nothing: better known now than then.
 * @throws {ApiError} `unexpected`
 */
export function refuseMisfit(answer: {
  etch: Etch;
  promise: EtchPromise;
  promise_v2?: EtchPromiseV2 | undefined;
}): void {
  const { etch, promise, promise_v2: second } = answer;
  const refuse = (why: string) =>
    new ApiError(`the service made etch ${etch.id}, and ${why}`, { code: 'unexpected', status: 201 });
  const check = (parts: PromiseParts) => {
    if (parts.etchId !== etch.id || parts.hash !== etch.hash || parts.userId !== etch.author.user_id)
      throw refuse('its promise is of something else');
    if (parts.anchorBy !== anchorBy(etch.created_on))
      throw refuse(`its promise names ${parts.anchorBy}, not ${anchorBy(etch.created_on)}, as the last day`);
  };
  try {
    check(parsePromise(promise).parts);
    if (second === undefined) return;
    const { parts, beside } = parsePromiseV2(second);
    check(parts);
    const shown = promisedBeside(besideOf(etch));
    const fields = ['descriptionHash', 'topic', 'mode', 'revealAt', 'challengeId'] as const;
    if (fields.some((field) => shown[field] !== beside[field]))
      throw refuse('its promise is of another description, topic, mode, reveal time or challenge');
  } catch (error) {
    throw error instanceof PromiseError ? refuse(`its promise cannot be read: ${error.message}`) : error;
  }
}
