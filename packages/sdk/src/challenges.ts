import type { BodyOf, CreatedChallenge, SuccessOf, TopicId } from '@svc/contract/types';
import { type CursorStart, list, type NumberStart } from './paged.ts';
import type { CallOptions, CreateOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export interface ChallengeFilter extends NumberStart {
  readonly status?: 'open' | 'closed' | 'all' | undefined;
  readonly category?: TopicId | readonly TopicId[] | undefined;
  readonly sort?: 'soonest' | 'newest' | 'oldest' | 'most' | 'least' | undefined;
}

export function challengeCalls(transport: Transport) {
  return {
    /**
     * To answer a challenge, etch with its `challenge_id` (docs/specification.md#post-challenges).
     * @example
     * const { challenge } = await client.createChallenge({
     *   question: 'When will the first swallow be seen?',
     *   category_id: 'science',
     *   reveal_at: new Date(Date.now() + 86_400_000).toISOString(),
     * });
     * (await client.getChallenge(challenge.id)).counts.sealed; // 0
     */
    async createChallenge(
      body: BodyOf<'createChallenge'>,
      options: CreateOptions = {},
    ): Promise<{ challenge: CreatedChallenge; replayed: boolean }> {
      const { value, replayed } = await transport.call('createChallenge', { body, ...options });
      return { challenge: value.challenge, replayed };
    },
    /**
     * With its counts and the first page of its etches.
     * @example
     * (await client.getChallenge(challenge.id)).counts.participants; // 1
     */
    getChallenge: (id: string, options: CallOptions = {}): Promise<SuccessOf<'getChallenge'>> =>
      transport.value('getChallenge', { params: { id }, ...options }),
    /**
     * The id of the challenge at `/ch/<code>`.
     * @throws {MisfitError} when the answer is for a different code
     * @example
     * const { challenge: found } = await client.getChallenge(challenge.id);
     * await client.findChallengeByCode(found.code); // challenge.id
     */
    async findChallengeByCode(code: string, { signal }: CallOptions = {}): Promise<string> {
      const answer = await transport.atCode('findChallengeByCode', '/ch/', code, signal);
      return (answer as SuccessOf<'getChallenge'>).challenge.id;
    },
    /**
     * @example
     * const entries = [];
     * for await (const entry of client.challengeEtches(challenge.id)) entries.push(entry.content);
     * entries; // [null]
     */
    challengeEtches: (id: string, query: ChallengeEtches = {}) =>
      list(transport, 'getChallenge', 'etches', query, { id }),
    /**
     * The resolution, the counts and 30 standings per `page`. `scoreChallenge` of `@svc/protocol/conventions`
     * computes the same locally.
     * @example
     * const { resolution, counts } = await client.challengeScore(challenge.id);
     * resolution.state; // 'unresolved'
     * counts.scored; // 0
     */
    challengeScore: async (
      id: string,
      { signal, page }: NumberStart = {},
    ): Promise<SuccessOf<'scoreChallenge'>> =>
      await transport.value('scoreChallenge', { params: { id }, query: { page }, signal }),
    /**
     * Default: open challenges.
     * @example
     * const open = [];
     * for await (const { id } of client.challenges({ status: 'open' })) open.push(id);
     * open.includes(challenge.id); // true
     */
    challenges: (query: ChallengeFilter = {}) => list(transport, 'listChallenges', 'challenges', query),
  };
}

export interface ChallengeEtches extends CursorStart {
  readonly sort?: 'newest' | 'soonest' | undefined;
}
