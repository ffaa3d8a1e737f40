import type { BodyOf, CreatedChallenge, SuccessOf, TopicId } from '@svc/contract/types';
import type { ChallengeListItem, Etch } from '@svc/contract/types';
import { paged } from './paged.ts';
import type { CursorStart, NumberStart, Paged } from './paged.ts';
import type { CallOptions, CreateOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export interface ChallengeFilter extends NumberStart {
  readonly status?: 'open' | 'closed' | 'all' | undefined;
  readonly category?: TopicId | readonly TopicId[] | undefined;
  readonly sort?: 'soonest' | 'newest' | 'oldest' | 'most' | 'least' | undefined;
}

export function challengeCalls(transport: Transport) {
  const read = async (id: string, { signal, ...query }: ChallengeEtches = {}) =>
    (await transport.call('getChallenge', { params: { id }, query, signal })).value;

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
      read(id, options),
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
    challengeEtches: (id: string, options: ChallengeEtches = {}): Paged<Etch, SuccessOf<'getChallenge'>> =>
      paged({
        fetch: (next) => read(id, next === undefined ? options : { ...options, cursor: String(next) }),
        items: ({ etches }) => etches,
      }),
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
      (await transport.call('scoreChallenge', { params: { id }, query: { page }, signal })).value,
    /**
     * Default: open challenges.
     * @example
     * const open = [];
     * for await (const { id } of client.challenges({ status: 'open' })) open.push(id);
     * open.includes(challenge.id); // true
     */
    challenges: ({ signal, ...query }: ChallengeFilter = {}): Paged<
      ChallengeListItem,
      SuccessOf<'listChallenges'>
    > =>
      paged({
        fetch: async (next) =>
          (await transport.call('listChallenges', { query: { ...query, page: next ?? query.page }, signal }))
            .value,
        items: ({ challenges }) => challenges,
      }),
  };
}

export interface ChallengeEtches extends CursorStart {
  readonly sort?: 'newest' | 'soonest' | undefined;
}
