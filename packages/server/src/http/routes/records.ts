import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CursorPage } from '@svc/contract';
import { isHex, LEAVES_TYPE } from '@svc/protocol';
import { listBlindSeals, withBlindSeals } from '../../records/blind-store.ts';
import { recordMarkdown } from '../../records/record-markdown.ts';
import { readRecord } from '../../records/record-store.ts';
import { scoreAccount, scoreChallenge } from '../../records/scores/score.ts';
import { whoOf } from '../rate-limits.ts';
import { acceptedTypes, compressed, isKnown, tagOf } from '../representation.ts';
import { listPage } from '../cursor.ts';
import { idOf, sendError } from '../errors.ts';
import { textInPieces } from '../large-answers.ts';
import type { Operations } from '../operation.ts';
import { type HttpDependencies, scoreContext } from '../dependencies.ts';
import { knownTopics } from '../../challenges/list-store.ts';
import { type Batch, findBatch, findLeaves, listBatches } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { createSlots } from '../../platform/flow/slots.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';

const MARKDOWN_PAGE = '100';

export const recordRoutes = (deps: HttpDependencies): Operations => ({
  listUserEtches: ({ params, query, request }) =>
    answerRecord(deps, params.username, { ...query, who: whoOf(request) }),

  async getRecord({ params, query, request, reply }) {
    void reply.header('Cache-Control', 'no-store');
    const { markdown, nextCursor } = await markdownPage(deps, params.username, query.cursor, request);
    return { format: 'markdown', markdown, next_cursor: nextCursor };
  },

  scoreAccount: ({ params, query, request }) =>
    scoreAccount(scoreContext(deps, request), params.username, Number(query.page ?? 1)),

  scoreChallenge({ params, query, request }) {
    const id = idOf(params.id, 'there is no challenge with this id');
    return scoreChallenge(scoreContext(deps, request), id, Number(query.page ?? 1));
  },
});

export async function answerRecord(
  deps: HttpDependencies,
  username: string,
  { category, ...query }: { category?: string; limit?: string; cursor?: string; who: string },
) {
  const categories = knownTopics(category);
  const { found, page } = await readPage(deps, username, categories.join(), query, categories);
  const { next: _, ...record } = found;
  return { ...record, page };
}

export function mountRawRecord(app: FastifyInstance, deps: HttpDependencies): void {
  app.get<{ Params: { username: string }; Querystring: { cursor?: string } }>(
    '/u/:username/record.md',
    {
      errorHandler: sendError,
      schema: { querystring: { type: 'object', properties: { cursor: { type: 'string' } } } },
    },
    async (request, reply) => {
      const { markdown } = await markdownPage(deps, request.params.username, request.query.cursor, request);
      return reply
        .header('Content-Type', 'text/markdown; charset=utf-8')
        .header('Cache-Control', 'no-store')
        .send(await compressed(request, reply, await textInPieces(markdown)));
    },
  );
}

export async function markdownPage(
  deps: HttpDependencies,
  username: string,
  cursor: string | undefined,
  request: FastifyRequest,
) {
  const query = { limit: MARKDOWN_PAGE, who: whoOf(request), ...(cursor !== undefined && { cursor }) };
  const { found, page } = await readPage(deps, username, 'markdown', query);
  const { baseUrl, drand } = deps.view;
  const nextCursor = page.next_cursor;
  const nextUrl = nextCursor && `${baseUrl}/u/${found.user.username}/record.md?cursor=${nextCursor}`;
  const isFirst = cursor === undefined;
  const seals = isFirst ? await listBlindSeals(deps.db, [found.user.user_id], drand) : [];
  const record = { ...found, counts: withBlindSeals(found.counts, seals.length) };
  return { markdown: await recordMarkdown(record, { baseUrl, isFirst, nextUrl, drand }), nextCursor };
}

async function readPage(
  { db, clock, view }: HttpDependencies,
  username: string,
  list: string,
  { who, ...query }: { limit?: string; cursor?: string; who: string },
  categories?: ReturnType<typeof knownTopics>,
) {
  const { limit, after, page } = listPage(view.keyring, `record:${username.toLowerCase()}:${list}`, query);
  const options = {
    limit,
    who,
    ...(categories && { categories }),
    ...(after && { after: { createdAt: String(after[0]), id: String(after[1]) } }),
  };
  const found = await readRecord(db, username, options, clock.now(), view);
  return { found, page: page(found.next && [found.next.createdAt, found.next.id]) };
}

export function batchRoutes(deps: HttpDependencies): Operations {
  // A tree has up to 10,000 leaves and auditors read all trees: read two at once and let other requests wait here.
  const trees = createSlots({ slots: 2, queue: 256, patience: 20_000, what: 'trees read' });

  return {
    listBatches: ({ query }) => answerBatches(deps, query),

    async getBatch({ params, query, headers, request, reply }) {
      const root = params.root.toLowerCase();
      const kind = query.kind === '1' ? 1 : 0;
      const read = async <T>(find: (db: Db, root: string, kind: 0 | 1) => Promise<T | null>): Promise<T> => {
        const found = isHex(root, 32)
          ? await trees.run(() => find(deps.db, root, kind), whoOf(request))
          : null;
        if (found === null) throw new Failure('not_found', 'there is no anchored tree of this kind and root');
        void reply.header('Vary', 'Accept');
        return found;
      };
      if (prefersLeaves(headers.accept)) return sendLeaves(request, reply, await read(findLeaves));
      const { id: _, ...batch } = await read(findBatch);
      return { batch };
    },
  };
}

export function prefersLeaves(accept?: string): boolean {
  const types = acceptedTypes(accept);
  const weightOf = (name: string): number => types.find(({ type }) => type === name)?.weight || 0;
  const weight = weightOf(LEAVES_TYPE);
  return weight > 0 && weight >= weightOf('application/json');
}

/** Hashes do not compress. */
async function sendLeaves(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: readonly Buffer[],
): Promise<FastifyReply> {
  const hash = createHash('sha256');
  await mapInTimeSlices(
    pieces,
    ({ length }) => length,
    (piece) => hash.update(piece),
    pieces[0]?.length,
  );
  const etag = tagOf(hash);
  void reply.header('ETag', etag);
  if (isKnown(request, etag)) return reply.code(304).send();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return reply
    .header('Content-Type', LEAVES_TYPE)
    .header('Content-Length', length)
    .send(Readable.from(pieces, { objectMode: false }));
}

export async function answerBatches(
  { db, keyring }: HttpDependencies,
  query: { limit?: string; cursor?: string },
): Promise<{ batches: Omit<Batch, 'id'>[]; page: CursorPage }> {
  const { limit, after, cut } = listPage(keyring, 'batches', query);
  const found = await listBatches(db, {
    limit: limit + 1,
    ...(after && { after: { anchoredAt: String(after[0]), id: Number(after[1]) } }),
  });
  const { rows, page } = cut(found, (last) => [last.anchored_at, last.id]);
  return { batches: rows.map(({ id: _, ...batch }) => batch), page };
}
