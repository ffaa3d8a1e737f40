import { type CursorPage, ROUTES } from '@svc/contract';
import { isHex } from '@svc/protocol';
import type { FastifyInstance } from 'fastify';
import { type Batch, findBatch, listBatches } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../errors/failure.ts';
import { createSlots } from '../../flow/slots.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { makeCursor, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';

const DEFAULT_LIMIT = 30;
const LIST = 'batches';

export function mountBatches(api: FastifyInstance, { db, keyring }: { db: Db; keyring: Keyring }): void {
  // A tree has up to 10,000 leaves. Whoever re-checks the whole service reads them all, so nobody is counted; instead few
  // are read at once, and the others wait here, not before the database.
  const trees = createSlots({ places: 2, queue: 256, patience: 20_000, what: 'trees read' });

  operation(api, ROUTES.listBatches, ({ query }) => answerBatches(db, keyring, query));

  operation(api, ROUTES.getBatch, async ({ params, query }) => {
    const root = params.root.toLowerCase();
    const kind = query.kind === '1' ? 1 : 0;
    const found = isHex(root, 32) ? await trees.run(() => findBatch(db, root, kind)) : null;
    if (!found) throw new Failure('not_found', 'there is no anchored tree of this kind and root');
    const { id: _, ...batch } = found;
    return { batch };
  });
}

/** A page of all anchored trees, as the API answers it. @throws Failure */
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
