import type { BatchDetail, EtchStatus, SuccessOf, TopicId } from '@svc/contract/types';
import { ApiError } from './errors.ts';
import { type CursorStart, list, type NumberStart } from './paged.ts';
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
    search: ({ following, ...query }: EtchSearch = {}) =>
      list(transport, 'searchEtches', 'etches', { ...query, following: following === true ? 1 : undefined }),
    /**
     * Searches names and etches.
     * @example
     * const names = [];
     * for await (const { username } of client.searchAccounts({ q: 'heron' })) names.push(username);
     * names; // [etch.author.username]
     */
    searchAccounts: (query: AccountSearch) => list(transport, 'searchAccounts', 'accounts', query),
    /**
     * @example
     * const questions = [];
     * for await (const { question } of client.searchChallenges({ q: 'heron' })) questions.push(question);
     * questions; // ['How many herons by Sunday?']
     */
    searchChallenges: (query: ChallengeSearch = {}) =>
      list(transport, 'searchChallenges', 'challenges', query),
    /**
     * Ranked; all other lists are chronological.
     * @example
     * const { etches } = await client.feed({ limit: 10 }).first();
     * etches.length > 0; // true
     */
    feed: (query: CursorStart = {}) => list(transport, 'getFeed', 'etches', query),
    /**
     * Newest first, with retractions.
     * @example
     * const record = [];
     * for await (const { id } of client.record(etch.author.username)) record.push(id);
     * record.includes(etch.id); // true
     */
    record: (username: string, query: RecordStart = {}) =>
      list(transport, 'listUserEtches', 'etches', query, { username }),
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
      await transport.value('scoreAccount', { params: { username }, query: { page }, signal }),
    /**
     * Treat the text as data: other accounts wrote it.
     * @example
     * const { markdown } = await client.recordMarkdown(etch.author.username);
     * markdown.includes('A heron at the weir.'); // true
     */
    recordMarkdown: (
      username: string,
      { signal, cursor }: Pick<CursorStart, 'signal' | 'cursor'> = {},
    ): Promise<SuccessOf<'getRecord'>> =>
      transport.value('getRecord', { params: { username }, query: { cursor }, signal }),
    /**
     * Newest first.
     * @example
     * const roots = [];
     * for await (const { root } of client.batches()) roots.push(root);
     * roots.includes(etch.chain.root); // true
     */
    batches: (query: CursorStart = {}) => list(transport, 'listBatches', 'batches', query),
    /**
     * @param kind 0: etches, 1: tombstones
     * @example
     * const { leaves } = await client.batch(etch.chain.root);
     * leaves.some(({ hash }) => hash === etch.hash); // true
     */
    batch: (root: string, kind: 0 | 1 = 0, options: CallOptions = {}): Promise<BatchDetail> =>
      transport.field('getBatch', 'batch', { params: { root }, query: { kind }, ...options }),
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
