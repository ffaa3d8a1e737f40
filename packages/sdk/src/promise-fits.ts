import type { Etch, EtchPromise } from '@svc/contract/types';
import {
  anchorBy,
  hashDescription,
  isTakenDown,
  parsePromise,
  PromiseError,
  promiseWords,
} from '@svc/protocol';
import type { PublicFields } from '@svc/protocol';
import { ApiError } from './errors.ts';

/**
 * The public fields of an etch that a promise covers, as an answer shows them.
 * @example
 * publicFieldsOf(etch).topic; // 'science'
 */
export const publicFieldsOf = ({
  description,
  category,
  mode,
  reveal_at,
  challenge,
}: Etch): PublicFields => ({
  description,
  topic: category.id,
  mode,
  revealAt: reveal_at,
  challengeId: challenge?.id ?? null,
});

/**
 * Reads the promise of a created etch and compares it with the answer and with the content that was sent. A promise of anything else
 * proves nothing later.
 * @throws {ApiError} `unexpected`
 */
export function fittingPromise(
  { etch, promise }: { etch: Etch; promise: EtchPromise | null },
  content: string,
): EtchPromise {
  const refuse = (why: string) =>
    new ApiError(`the service made etch ${etch.id}, and ${why}`, { code: 'unexpected', status: 201 });
  if (promise == null)
    throw refuse(
      isTakenDown(etch.description)
        ? 'gives no promise again, because its operator took the description down'
        : 'gave no promise, which it must for an etch that is not retracted',
    );
  try {
    const { fields } = parsePromise(promise);
    if (fields.etchId !== etch.id || fields.hash !== etch.hash || fields.userId !== etch.author.user_id)
      throw refuse('its promise is of something else');
    if (fields.anchorBy !== anchorBy(etch.created_on))
      throw refuse(`its promise names ${fields.anchorBy}, not ${anchorBy(etch.created_on)}, as the last day`);
    const { description, ...shown } = publicFieldsOf(etch);
    const names = ['topic', 'mode', 'revealAt', 'challengeId'] as const;
    if (
      hashDescription(description) !== fields.descriptionHash ||
      names.some((name) => shown[name] !== fields[name])
    )
      throw refuse('its promise is of another description, topic, mode, reveal time or challenge');
    if (promiseWords(promise.nonce, content) !== fields.words)
      throw refuse('its promise is of another content than was sent');
    return promise;
  } catch (error) {
    throw error instanceof PromiseError ? refuse(`its promise cannot be read: ${error.message}`) : error;
  }
}
