import { CODE, type EvidenceFile, isUuid, type Verification } from '@svc/contract';
import type { Receipt } from '@svc/protocol';
import { readWords } from '@svc/protocol/conventions';
import { etchPage, receiptFile, receiptFilePolicy, verifyEtchPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { ChainUnavailable } from '../../chain/port.ts';
import { Failure } from '../../platform/failure.ts';
import type { EtchReader } from '../../etches/read.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchView } from '../../etches/view.ts';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import { etchMarkdown } from '../../records/record-markdown.ts';
import { judgeForecast, readForecastOutcome } from '../../records/scores/resolution.ts';
import { assets } from './assets.ts';
import { ownOf } from './session.ts';
import { type PageParts, siteFor, siteWithChain } from './parts.ts';
import { noteSubjects } from './draw-cards.ts';
import { scoreContext } from './scores.ts';
import { pageHeaders, sendData, sendFresh, sendMarkdown, sendPage, splitEnding, wantedForm } from './send.ts';

const CODE_FORM = new RegExp(CODE, 'i');

interface Path {
  Params: { id: string };
}

export const etchFinder =
  (reader: EtchReader) =>
  (name: string): Promise<EtchRow> => {
    if (isUuid(name)) return reader.get(name.toLowerCase());
    if (CODE_FORM.test(name)) return reader.getByCode(name);
    throw new Failure('not_found', 'no etch has this address');
  };

export function mountEtchPages(app: FastifyInstance, parts: PageParts): void {
  const { reader, verifier } = parts.etches;
  const { clock, view } = parts.facts;
  const { chainReads } = parts;

  const find = etchFinder(reader);
  const show = async (name: string) => etchView(await find(name), clock.now(), view);

  app.get<Path>('/e/:id', async (request, reply) => {
    const { name, form } = splitEnding(request.params.id, request.headers.accept);
    const row = await find(name);
    const etch = etchView(row, clock.now(), view);
    if (form === 'json') return sendData(request, reply, { etch });
    if (form === 'markdown')
      return sendMarkdown(request, reply, `# Etch ${etch.code}\n\n${etchMarkdown(etch, view.drand)}\n`);
    await noteSubjects(parts.facts, [etch]);
    const own = await ownOf(parts.facts, request, row);
    const words = etch.challenge === null && own?.isAuthor ? readWords(etch.content ?? '') : undefined;
    if (own && words?.kind === 'forecast')
      own.canResolve =
        (await readForecastOutcome(parts.facts.db, etch, words, scoreContext(parts))).state === 'open';
    const result = await judgeForecast(parts.facts.db, etch, scoreContext(parts));
    const seen = await parts.seen(etch.id);
    return sendPage(request, reply, etchPage(siteFor(parts.site, request), etch, { own, result, seen }));
  });

  app.get<Path>('/e/:id/verify', async (request, reply) => {
    const { id } = await find(request.params.id);
    if (wantedForm(request.headers.accept) === 'json')
      return sendData(request, reply, await verifier.verify(id, chainReads.readerFor(request.ip)));
    const site = await siteWithChain(parts.site, request);
    const [checked, seen] = [await readChecks(id, request.ip), await parts.seen(id)];
    return sendPage(request, reply, verifyEtchPage(site, { ...checked, seen }));
  });

  app.get<Path & { Querystring: { evidence?: unknown } }>('/e/:id/receipt.html', async (request, reply) => {
    const { id } = await find(request.params.id);
    const [site, { etch, receipt, former }] = await Promise.all([
      siteWithChain(parts.site),
      verifier.shown(id),
    ]);
    const evidence =
      request.query.evidence === '1' ? await readEvidence({ receipt, former }, request.ip) : undefined;
    const { receipt: files } = assets();
    void pageHeaders(reply, `${receiptFilePolicy(files)}; frame-ancestors 'none'`)
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Disposition', `inline; filename="receipt-${etch.code}.html"`);
    return sendFresh(
      request,
      reply,
      receiptFile(site, { etch, receipt, ...(evidence && { evidence }) }, files),
    );
  });

  async function readEvidence(
    receipts: { receipt: Receipt; former: Receipt[] },
    address: string,
  ): Promise<EvidenceFile> {
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
      return { etch: await show(id), checks: null };
    }
  }
}
