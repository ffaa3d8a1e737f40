import type { BodyOf, CreatedChallenge, SuccessOf, TopicId } from '@svc/contract';
import type { ChallengeListItem, Etch } from '@svc/contract';
import { paged } from './paged.ts';
import type { CursorStart, NumberStart, Paged } from './paged.ts';
import type { CallOptions, CreateOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export interface ChallengeFilter extends NumberStart {
  readonly status?: 'open' | 'closed' | 'all' | undefined;
  readonly category?: TopicId | readonly TopicId[] | undefined;
  readonly sort?: 'soonest' | 'newest' | 'oldest' | 'most' | 'least' | undefined;
}

/** Challenges: sealed questions with one reveal time. */
export function challengeCalls(transport: Transport) {
  const read = async (id: string, { signal, ...query }: ChallengeEtches = {}) =>
    (await transport.call('getChallenge', { params: { id }, query, signal })).value;

  return {
    /**
     * Opens a challenge (docs/specification.md#post-challenges). Enter one by etching with its
     * `challenge_id`.
     */
    async createChallenge(
      body: BodyOf<'createChallenge'>,
      options: CreateOptions = {},
    ): Promise<{ challenge: CreatedChallenge; replayed: boolean }> {
      const { value, replayed } = await transport.call('createChallenge', { body, ...options });
      return { challenge: value.challenge, replayed };
    },
    /** The challenge, its counts and the first page of its etches. */
    getChallenge: (id: string, options: CallOptions = {}): Promise<SuccessOf<'getChallenge'>> =>
      read(id, options),
    /** Every etch of a challenge. */
    challengeEtches: (id: string, options: ChallengeEtches = {}): Paged<Etch, SuccessOf<'getChallenge'>> =>
      paged({
        fetch: (next) => read(id, next === undefined ? options : { ...options, cursor: String(next) }),
        items: ({ etches }) => etches,
      }),
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
