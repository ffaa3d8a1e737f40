import type { Receipt } from '@svc/protocol';
import { receiptFile, receiptFilePolicy } from '@svc/web/receipt-file';
import type { FastifyInstance } from 'fastify';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { assets } from './assets.ts';
import { htmlHeaders, sendFresh } from './send.ts';
import { siteWithChain } from './site.ts';
import { etchFinder } from './find-subject.ts';

interface ReceiptRequest {
  Params: { id: string };
  Querystring: { evidence?: unknown };
}

export function mountReceiptPage(app: FastifyInstance, deps: HttpDependencies): void {
  const { chainReads, etches } = deps;
  const find = etchFinder(etches.reader);

  app.get<ReceiptRequest>('/e/:id/receipt.html', async (request, reply) => {
    const { id } = await find(request.params.id);
    const [site, { etch, receipt, former }] = await Promise.all([
      siteWithChain(deps),
      etches.verifier.shown(id),
    ]);
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

  async function readEvidence(receipts: { receipt: Receipt; former: Receipt[] }, address: string) {
    await chainReads.take(address, 1, 0);
    return makeEvidence(receipts, deps.evidence);
  }
}
