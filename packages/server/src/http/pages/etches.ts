import type { Verification } from '@svc/contract';
import type { Receipt } from '@svc/protocol';
import { readWords } from '@svc/protocol/conventions';
import { etchPage, receiptFile, receiptFilePolicy, verifyEtchPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { ChainUnavailable } from '../../chain/port.ts';
import { etchView } from '../../etches/view.ts';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import { quorumOver, type SeenTree } from '../../proofs/log/checkpoints.ts';
import { etchMarkdown } from '../../records/record-markdown.ts';
import { judgeForecast, readForecastOutcome } from '../../records/scores/resolution.ts';
import { type Parts, scoreContext } from '../parts.ts';
import { assets } from './assets.ts';
import { noteSubjects } from './draw-cards.ts';
import { htmlHeaders, sendFresh, sendMarkdown, splitEnding, wantsJson } from './send.ts';
import { ownOf } from './session.ts';
import { siteFor, siteWithChain } from './site.ts';
import { etchFinder } from './subjects.ts';

interface Path {
  Params: { id: string };
}

export function mountEtchPages(app: FastifyInstance, parts: Parts): void {
  const { config, db, clock, view, chainReads, etches } = parts;
  const { reader, verifier, treeLog } = etches;
  const find = etchFinder(reader);

  /** When the witnesses of WITNESS_POLICY had seen the etch's tree. */
  const seenAt = async (id: string): Promise<SeenTree | undefined> =>
    config.witnessPolicy && quorumOver(db, treeLog.origin, id);

  app.get<Path>('/e/:id', async (request, reply) => {
    const { name, form } = splitEnding(request.params.id, request);
    const row = await find(name);
    const etch = etchView(row, clock.now(), view);
    if (form === 'json') return { etch };
    if (form === 'markdown')
      return sendMarkdown(request, reply, `# Etch ${etch.code}\n\n${etchMarkdown(etch, view.drand)}\n`);
    await noteSubjects(parts, [etch]);
    const own = await ownOf(parts, request, row);
    const words = etch.challenge === null && own?.isAuthor ? readWords(etch.content ?? '') : undefined;
    if (own && words?.kind === 'forecast')
      own.canResolve = (await readForecastOutcome(db, etch, words, scoreContext(parts))).state === 'open';
    const result = await judgeForecast(db, etch, scoreContext(parts));
    return etchPage(siteFor(parts, request), etch, { own, result, seen: await seenAt(etch.id) });
  });

  app.get<Path>('/e/:id/verify', async (request) => {
    const { id } = await find(request.params.id);
    if (wantsJson(request)) return verifier.verify(id, chainReads.readerFor(request.ip));
    const site = await siteWithChain(parts, request);
    const checked = await readChecks(id, request.ip);
    return verifyEtchPage(site, { ...checked, seen: await seenAt(id) });
  });

  app.get<Path & { Querystring: { evidence?: unknown } }>('/e/:id/receipt.html', async (request, reply) => {
    const { id } = await find(request.params.id);
    const [site, { etch, receipt, former }] = await Promise.all([siteWithChain(parts), verifier.shown(id)]);
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
    return makeEvidence(receipts, parts.evidence);
  }

  async function readChecks(id: string, address: string) {
    try {
      const [found, { receipt }] = await Promise.all([
        verifier.verify(id, chainReads.readerFor(address)),
        verifier.shown(id),
      ]);
      const { etch, checks } = found as Verification;
      return { etch, checks, former: receipt.former ?? [] };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      return { etch: etchView(await find(id), clock.now(), view), checks: null };
    }
  }
}
