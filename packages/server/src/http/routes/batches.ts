import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type CursorPage, ROUTES } from '@svc/contract';
import { isHex, LEAVES_TYPE } from '@svc/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Batch, findBatch, findLeaves, listBatches } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { createSlots } from '../../platform/flow/slots.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { isKnown, tagOf } from '../etag.ts';
import { operation } from '../operation.ts';

const DEFAULT_LIMIT = 30;
const LIST = 'batches';

export function mountBatches(api: FastifyInstance, { db, keyring }: { db: Db; keyring: Keyring }): void {
  // A tree has up to 10,000 leaves and auditors read all trees: read two at once and let other requests wait here.
  const trees = createSlots({ slots: 2, queue: 256, patience: 20_000, what: 'trees read' });

  operation(api, ROUTES.listBatches, ({ query }) => answerBatches(db, keyring, query));

  operation(api, ROUTES.getBatch, async ({ params, query, headers, request, reply }) => {
    const root = params.root.toLowerCase();
    const kind = query.kind === '1' ? 1 : 0;
    const read = async <T>(find: (db: Db, root: string, kind: 0 | 1) => Promise<T | null>): Promise<T> => {
      const found = isHex(root, 32) ? await trees.run(() => find(db, root, kind)) : null;
      if (found === null) throw new Failure('not_found', 'there is no anchored tree of this kind and root');
      return found;
    };
    const negotiated = (): FastifyReply => reply.header('Vary', 'Accept').header('Cache-Control', 'no-cache');
    if (prefersLeaves(headers.accept)) {
      const pieces = await read(findLeaves);
      return sendLeaves(request, negotiated(), pieces);
    }
    const { id: _, ...batch } = await read(findBatch);
    void negotiated();
    return { batch };
  });
}

export function prefersLeaves(accept = ''): boolean {
  const weightOf = (type: string): number => {
    const ranges = accept.split(',').map((range) =>
      range
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/),
    );
    const parameters = ranges.find(([name]) => name === type)?.slice(1);
    if (parameters === undefined) return 0;
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    return Number.isNaN(weight) ? 0 : weight;
  };
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
  db: Db,
  keyring: Keyring,
  query: { limit?: string; cursor?: string },
): Promise<{ batches: Omit<Batch, 'id'>[]; page: CursorPage }> {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
  const place = query.cursor === undefined ? undefined : readCursor(keyring, LIST, query.cursor);
  const found = await listBatches(db, {
    limit: limit + 1,
    ...(place && { after: { anchoredAt: String(place[0]), id: Number(place[1]) } }),
  });
  const batches = found.slice(0, limit);
  const last = batches.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return {
    batches: batches.map(({ id: _, ...batch }) => batch),
    page: {
      limit,
      has_more: hasMore,
      next_cursor: hasMore ? makeCursor(keyring, LIST, [last.anchored_at, last.id]) : null,
    },
  };
}
