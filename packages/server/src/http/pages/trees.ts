import { ROUTES } from '@svc/contract';
import { isHex } from '@svc/protocol';
import { LEAVES_ON_A_PAGE, treePage, treesPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { type Batch, findTree, listLeaves } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { explorerLinks } from '../../etches/chain-view.ts';
import { answerBatches } from '../routes/batches.ts';
import { takeAnonymous } from './session.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendData, sendPage, wantedForm } from './send.ts';

interface TreeRequest {
  Params: { root: string };
  Querystring: { kind?: string; page?: string };
}

const TREE_QUERY = {
  type: 'object',
  properties: { ...ROUTES.getBatch.query.properties, page: ROUTES.searchEtches.query.properties.page },
};

export function mountTreePages(app: FastifyInstance, parts: PageParts): void {
  const { db, view } = parts.facts;

  app.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/trees',
    { schema: { querystring: ROUTES.listBatches.query } },
    async (request, reply) => {
      await takeAnonymous(parts, request);
      const data = await answerBatches(db, view.keyring, request.query);
      if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, data);
      const isFirst = request.query.cursor === undefined;
      return sendPage(request, reply, treesPage(siteFor(parts.site, request), data, isFirst));
    },
  );

  app.get<TreeRequest>('/trees/:root', { schema: { querystring: TREE_QUERY } }, async (request, reply) => {
    await takeAnonymous(parts, request);
    const tree = await treeNamed(db, request.params.root.toLowerCase(), request.query.kind);
    if (!tree) throw new Failure('not_found', 'there is no anchored tree of this root');
    const { id, ...batch } = tree;
    const number = Number(request.query.page ?? 1);
    const leaves = await listLeaves(db, id, {
      limit: LEAVES_ON_A_PAGE,
      offset: (number - 1) * LEAVES_ON_A_PAGE,
    });
    const pages = Math.ceil(batch.tree_size / LEAVES_ON_A_PAGE);
    const data = { batch, leaves, page: { number, pages, total: batch.tree_size } };
    if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, data);
    const links = explorerLinks(view, batch);
    return sendPage(request, reply, treePage(siteFor(parts.site, request), { ...data, links }));
  });
}

async function treeNamed(db: Db, root: string, kind: string | undefined): Promise<Batch | null> {
  if (!isHex(root, 32)) return null;
  if (kind !== undefined) return findTree(db, root, kind === '1' ? 1 : 0);
  return (await findTree(db, root, 0)) ?? findTree(db, root, 1);
}
