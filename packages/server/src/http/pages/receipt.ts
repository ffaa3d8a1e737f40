import type { Receipt } from '@svc/protocol';
import { receiptFile, receiptFilePolicy } from '@svc/web/receipt-file';
import type { FastifyInstance } from 'fastify';
import { Failure, Unavailable } from '../../platform/failure.ts';
import { answerWholeIndex } from '../../proofs/account-index/index-answer.ts';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { addressKey } from '../rate-limits.ts';
import { assets } from './assets.ts';
import { htmlHeaders, sendFresh } from './send.ts';
import { siteWithChain } from './site.ts';
import { etchFinder } from './find-subject.ts';

interface ReceiptRequest {
  Params: { id: string };
  Querystring: { evidence?: unknown; index?: unknown };
}

/** About 85 bytes each: `svc verify` reads receipts of at most a megabyte. */
const MOST_ENTRIES = 10_000;

export function mountReceiptPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { chainReads, etches } = deps;
  const find = etchFinder(etches.reader);

  app.get<ReceiptRequest>('/e/:id/receipt.html', async (request, reply) => {
    const { id } = await find(request.params.id);
    const [site, { etch, former, ...shownReceipt }] = await Promise.all([
      siteWithChain(deps),
      etches.verifier.shown(id),
    ]);
    const receipt =
      request.query.index === '1' ? await withIndex(shownReceipt.receipt, request.ip) : shownReceipt.receipt;
    const evidence =
      request.query.evidence === '1' ? await readEvidence({ receipt, former }, request.ip) : undefined;
    const { receipt: files } = assets();
    void htmlHeaders(reply, `${receiptFilePolicy(files)}; frame-ancestors 'none'`).header(
      'Content-Disposition',
      `inline; filename="receipt-${etch.code}.html"`,
    );
    const shown = { etch, receipt, ...(evidence && { evidence }) };
    return sendFresh(request, reply, receiptFile(site, shown, files));
  });

  async function withIndex(receipt: Receipt, address: string): Promise<Receipt & { index: object[] }> {
    await deps.meters.anonymous.take(addressKey(address));
    const { db, standby } = deps;
    const sources = { db, standby, origin: etches.treeLog.origin, maps: etches.indexMaps };
    const index = await answerWholeIndex(sources, receipt.author.user_id, MOST_ENTRIES).catch(orLater);
    return { ...receipt, index };
  }

  async function readEvidence(receipts: { receipt: Receipt; former: Receipt[] }, address: string) {
    await chainReads.take(address, 1, 0);
    return makeEvidence(receipts, deps.evidence);
  }
}

/** The etch is there: only its place is not known yet. */
function orLater(error: unknown): never {
  if (error instanceof Failure && error.code === 'not_found') throw new Unavailable(error.message, 60);
  throw error;
}
