import type { BodyOf, Guide, GuideTester } from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export function guideCalls(transport: Transport) {
  return {
    guide: {
      /**
       * With the caller's progress.
       * @throws {ApiError} `not_found` when the guide is disabled
       * @example
       * try {
       *   await client.guide.read();
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      async read(options: CallOptions = {}): Promise<Guide> {
        return (await transport.call('getGuide', options)).value;
      },
      /**
       * @returns the number of stored answers
       * @throws {ApiError} `not_found` when the guide is disabled
       * @example
       * try {
       *   await client.guide.answer({ answers: [{ question: 'trust', answer: 'The chain.' }] });
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      async answer(body: BodyOf<'sendAnswers'>, options: CallOptions = {}): Promise<number> {
        return (await transport.call('sendAnswers', { body, ...options })).value.sent;
      },
      /**
       * Of all testers.
       * @throws {ApiError} `not_found` when the guide is disabled, or the caller may not read them
       * @example
       * try {
       *   await client.guide.answers();
       * } catch (error) {
       *   error.code; // 'not_found'
       * }
       */
      async answers(options: CallOptions = {}): Promise<GuideTester[]> {
        return (await transport.call('listAnswers', options)).value.testers;
      },
    },
  };
}
