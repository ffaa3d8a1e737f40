import { ROUTES } from '@svc/contract';
import { isHex } from '@svc/protocol';
import { LEAVES_ON_A_PAGE, treePage, treesPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { type Batch, findTree, listLeaves } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { explorerLinks } from '../../etches/chain-view.ts';
import { Failure } from '../../platform/failure.ts';
import type { Parts } from '../parts.ts';
import { answerBatches } from '../routes/batches.ts';
import { wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';

interface TreeRequest {
  Params: { root: string };
  Querystring: { kind?: string; page?: string };
}

const TREE_QUERY = {
  type: 'object',
  properties: { ...ROUTES.getBatch.query.properties, page: ROUTES.searchEtches.query.properties.page },
};

export function mountTreePages(app: FastifyInstance, parts: Parts): void {
  const { db, view } = parts;

  app.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/trees',
    { schema: { querystring: ROUTES.listBatches.query } },
    async (request) => {
      await takeAnonymous(parts, request);
      const data = await answerBatches(parts, request.query);
      if (wantsJson(request)) return data;
      return treesPage(siteFor(parts, request), data, request.query.cursor === undefined);
    },
  );

  app.get<TreeRequest>('/trees/:root', { schema: { querystring: TREE_QUERY } }, async (request) => {
    await takeAnonymous(parts, request);
    const tree = await treeNamed(db, request.params.root.toLowerCase(), request.query.kind);
    if (!tree) throw new Failure('not_found', 'there is no anchored tree of this root');
    const { id, ...batch } = tree;
    const number = Number(request.query.page ?? 1);
    const offset = (number - 1) * LEAVES_ON_A_PAGE;
    const leaves = await listLeaves(db, id, { limit: LEAVES_ON_A_PAGE, offset });
    const pages = Math.ceil(batch.tree_size / LEAVES_ON_A_PAGE);
    const data = { batch, leaves, page: { number, pages, total: batch.tree_size } };
    if (wantsJson(request)) return data;
    return treePage(siteFor(parts, request), { ...data, links: explorerLinks(view, batch) });
  });
}

async function treeNamed(db: Db, root: string, kind: string | undefined): Promise<Batch | null> {
  if (!isHex(root, 32)) return null;
  if (kind !== undefined) return findTree(db, root, kind === '1' ? 1 : 0);
  return (await findTree(db, root, 0)) ?? findTree(db, root, 1);
}
