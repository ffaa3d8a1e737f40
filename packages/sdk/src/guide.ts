import type { BodyOf, Guide, GuideTester } from '@svc/contract/types';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

/** The tester guide, where it is on. */
export function guideCalls(transport: Transport) {
  return {
    guide: {
      /**
       * Its steps and questions with the caller's progress.
       * @throws {ApiError} `not_found` where it is off
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
       * Answers questions of it. @returns how many answers were kept
       * @throws {ApiError} `not_found` where it is off
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
       * All testers' answers, for its readers.
       * @throws {ApiError} `not_found` where it is off, and for everybody else
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
