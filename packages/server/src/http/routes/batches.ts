import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type CursorPage } from '@svc/contract';
import { isHex, LEAVES_TYPE } from '@svc/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Batch, findBatch, findLeaves, listBatches } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { createSlots } from '../../platform/flow/slots.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { listPage } from '../cursor.ts';
import { isKnown, tagOf } from '../etag.ts';
import type { Operations } from '../operation.ts';
import type { Parts } from '../parts.ts';

export function batchRoutes(parts: Parts): Operations {
  // A tree has up to 10,000 leaves and auditors read all trees: read two at once and let other requests wait here.
  const trees = createSlots({ slots: 2, queue: 256, patience: 20_000, what: 'trees read' });

  return {
    listBatches: ({ query }) => answerBatches(parts, query),

    async getBatch({ params, query, headers, request, reply }) {
      const root = params.root.toLowerCase();
      const kind = query.kind === '1' ? 1 : 0;
      const read = async <T>(find: (db: Db, root: string, kind: 0 | 1) => Promise<T | null>): Promise<T> => {
        const found = isHex(root, 32) ? await trees.run(() => find(parts.db, root, kind)) : null;
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
  { db, keyring }: Parts,
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
