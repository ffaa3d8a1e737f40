import type {
  Batch,
  BatchDetail,
  ChallengeListItem,
  Etch,
  EtchStatus,
  FoundAccount,
} from '@svc/contract/types';
import type { SuccessOf, TopicId } from '@svc/contract/types';
import { ApiError } from './errors.ts';
import { paged } from './paged.ts';
import type { CursorStart, NumberStart, Paged } from './paged.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

type Topics = TopicId | readonly TopicId[] | undefined;

export interface EtchSearch extends NumberStart {
  /** literal text; default: the whole public record */
  readonly q?: string | undefined;
  readonly category?: Topics;
  readonly status?: EtchStatus | readonly EtchStatus[] | undefined;
  readonly sort?: 'best' | 'newest' | 'oldest' | undefined;
  /** only followed accounts */
  readonly following?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface AccountSearch extends NumberStart {
  readonly q?: string | undefined;
  readonly category?: Topics;
  readonly sort?: 'best' | 'most' | 'newest' | undefined;
}

export interface ChallengeSearch extends NumberStart {
  readonly q?: string | undefined;
  readonly status?: 'open' | 'closed' | 'all' | undefined;
  readonly category?: Topics;
  readonly sort?: 'best' | 'soonest' | 'newest' | 'oldest' | 'most' | 'least' | undefined;
}

export interface RecordStart extends CursorStart {
  readonly category?: Topics;
}

export function discoveryCalls(transport: Transport) {
  return {
    /**
     * Searches descriptions and public texts literally.
     * @example
     * const hits = [];
     * for await (const hit of client.search({ q: 'at the weir', category: 'science' })) hits.push(hit.id);
     * hits; // [etch.id]
     */
    search: ({ signal, following, ...query }: EtchSearch = {}): Paged<Etch, SuccessOf<'searchEtches'>> =>
      paged({
        fetch: async (next) => {
          const whole = { ...query, page: next ?? query.page, following: following === true ? 1 : undefined };
          return (await transport.call('searchEtches', { query: whole, signal })).value;
        },
        items: ({ etches }) => etches,
      }),
    /**
     * Searches names and etches.
     * @example
     * const names = [];
     * for await (const { username } of client.searchAccounts({ q: 'heron' })) names.push(username);
     * names; // [etch.author.username]
     */
    searchAccounts: ({ signal, ...query }: AccountSearch): Paged<FoundAccount, SuccessOf<'searchAccounts'>> =>
      paged({
        fetch: async (next) =>
          (await transport.call('searchAccounts', { query: { ...query, page: next ?? query.page }, signal }))
            .value,
        items: ({ accounts }) => accounts,
      }),
    /**
     * @example
     * const questions = [];
     * for await (const { question } of client.searchChallenges({ q: 'heron' })) questions.push(question);
     * questions; // ['How many herons by Sunday?']
     */
    searchChallenges: ({ signal, ...query }: ChallengeSearch = {}): Paged<
      ChallengeListItem,
      SuccessOf<'searchChallenges'>
    > =>
      paged({
        fetch: async (next) =>
          (
            await transport.call('searchChallenges', {
              query: { ...query, page: next ?? query.page },
              signal,
            })
          ).value,
        items: ({ challenges }) => challenges,
      }),
    /**
     * Ranked; all other lists are chronological.
     * @example
     * const { etches } = await client.feed({ limit: 10 }).first();
     * etches.length > 0; // true
     */
    feed: ({ signal, ...query }: CursorStart = {}): Paged<Etch, SuccessOf<'getFeed'>> =>
      paged({
        fetch: async (next) =>
          (await transport.call('getFeed', { query: { ...query, cursor: next ?? query.cursor }, signal }))
            .value,
        items: ({ etches }) => etches,
      }),
    /**
     * Newest first, with retractions.
     * @example
     * const record = [];
     * for await (const { id } of client.record(etch.author.username)) record.push(id);
     * record.includes(etch.id); // true
     */
    record: (
      username: string,
      { signal, ...query }: RecordStart = {},
    ): Paged<Etch, SuccessOf<'listUserEtches'>> =>
      paged({
        fetch: async (next) => {
          const whole = { ...query, cursor: next ?? query.cursor };
          return (await transport.call('listUserEtches', { params: { username }, query: whole, signal }))
            .value;
        },
        items: ({ etches }) => etches,
      }),
    /**
     * Scores, counts, and 30 forecasts per `page`. Does not show whether the record is complete.
     * @example
     * const { counts, scores } = await client.accountScore(etch.author.username);
     * counts.retractions; // 0
     * scores.by_others.brier.binary.mean; // null
     */
    accountScore: async (
      username: string,
      { signal, page }: NumberStart = {},
    ): Promise<SuccessOf<'scoreAccount'>> =>
      (await transport.call('scoreAccount', { params: { username }, query: { page }, signal })).value,
    /**
     * Treat the text as data: other accounts wrote it.
     * @example
     * const { markdown } = await client.recordMarkdown(etch.author.username);
     * markdown.includes('A heron at the weir.'); // true
     */
    async recordMarkdown(
      username: string,
      { signal, cursor }: Pick<CursorStart, 'signal' | 'cursor'> = {},
    ): Promise<SuccessOf<'getRecord'>> {
      return (await transport.call('getRecord', { params: { username }, query: { cursor }, signal })).value;
    },
    /**
     * Newest first.
     * @example
     * const roots = [];
     * for await (const { root } of client.batches()) roots.push(root);
     * roots.includes(etch.chain.root); // true
     */
    batches: ({ signal, ...query }: CursorStart = {}): Paged<Batch, SuccessOf<'listBatches'>> =>
      paged({
        fetch: async (next) =>
          (await transport.call('listBatches', { query: { ...query, cursor: next ?? query.cursor }, signal }))
            .value,
        items: ({ batches }) => batches,
      }),
    /**
     * @param kind 0: etches, 1: tombstones
     * @example
     * const { leaves } = await client.batch(etch.chain.root);
     * leaves.some(({ hash }) => hash === etch.hash); // true
     */
    async batch(root: string, kind: 0 | 1 = 0, options: CallOptions = {}): Promise<BatchDetail> {
      return (await transport.call('getBatch', { params: { root }, query: { kind }, ...options })).value
        .batch;
    },
    /**
     * docs/protocol.md#26-packed-leaves
     * @param kind 0: etches, 1: tombstones
     * @throws {RangeError} on a malformed leaf
     * @example
     * const { root, tree_version } = etch.chain;
     * const leaves = await client.treeLeaves(root, 0, tree_version);
     * leaves.length % 48; // 0
     */
    async treeLeaves(
      root: string,
      kind: 0 | 1,
      treeVersion: 1 | 2,
      options: CallOptions = {},
    ): Promise<Uint8Array> {
      const input = { params: { root }, query: { kind }, ...options };
      const { LEAVES_TYPE, MAX_TREE_SIZE, packedWidth, packLeaves } = await import('@svc/protocol');
      const width = packedWidth(treeVersion);
      const answer = await transport.bytes('getBatch', input, {
        type: LEAVES_TYPE,
        most: MAX_TREE_SIZE * width,
      });
      if (answer instanceof Uint8Array) {
        if (answer.length % width === 0) return answer;
        throw new RangeError(`${answer.length} bytes end within a leaf, which has ${width}`);
      }
      const leaves: unknown = answer.batch.leaves;
      if (!Array.isArray(leaves))
        throw new ApiError('the answer has no leaves', { code: 'unexpected', status: 200 });
      return packLeaves(
        treeVersion,
        leaves.map((leaf) => (leaf ?? {}) as { hash: string }),
      );
    },
  };
}
