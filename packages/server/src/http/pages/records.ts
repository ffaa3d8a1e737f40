import { ROUTES, type Verification } from '@svc/contract';
import { isHex, type Receipt } from '@svc/protocol';
import { parseQuestion, readWords } from '@svc/protocol/conventions';
import { accountPage } from './account.tsx';
import { ANSWERS_BY, type AnswersBy, challengePage } from './challenge.tsx';
import { challengeEmbedPage, embedPolicy } from '@svc/web/sharing/embed';
import { challengesPage } from './challenges.tsx';
import { drawAnswer } from '@svc/web/parts/etch-card';
import { etchPage } from './etch.tsx';
import { PAGE as LEAVES_ON_A_PAGE, treePage, treesPage } from './trees.tsx';
import { receiptFile, receiptFilePolicy } from '@svc/web/receipt-file';
import { verifyEtchPage } from './verify-etch.tsx';
import type { FastifyInstance } from 'fastify';
import { ChainUnavailable } from '../../chain/port.ts';
import { etchView, etchViews, lengthOf } from '../../etches/view.ts';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import { quorumOver, type SeenTree } from '../../proofs/log/checkpoints.ts';
import { challengeMarkdown, etchMarkdown } from '../../records/record-markdown.ts';
import { judgeForecast, readForecastOutcome } from '../../records/scores/resolution.ts';
import { type Parts, readContext, scoreContext } from '../parts.ts';
import { whoOf } from '../rate-limits.ts';
import { assets } from './assets.ts';
import {
  idsBy,
  noteSubjects,
  orProblem,
  outcomeOf,
  outcomesOf,
  prepareCards,
  type ReadAnswers,
  saidReader,
} from './page-data.ts';
import { htmlHeaders, sendFresh, sendMarkdown, splitEnding, wantsJson } from './send.ts';
import { followingOf, ownOf, takeAnonymous } from './session.ts';
import { siteFor, siteOf, siteWithChain } from './site.ts';
import { challengeFinder, etchFinder } from './subjects.ts';
import { toTime } from '../../db/clock.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { countRecordDays, readScopes } from '../../records/record-store.ts';
import { scoreAccount, scoreChallenge } from '../../records/scores/score.ts';
import { answerBatches, answerRecord, markdownPage } from '../routes/records.ts';
import { type Batch, findTree, listLeaves } from '../../anchoring/index.ts';
import type { Db } from '../../db/db.ts';
import { explorerLinks } from '../../etches/chain-view.ts';
import { Failure } from '../../platform/failure.ts';
import { findOwnEntry } from '../../challenges/list-store.ts';
import { findEtches } from '../../etches/store.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { isResolved } from '../../records/scores/resolution-store.ts';
import { listNames } from '../../records/scores/store.ts';
import { answerChallenge, answerChallenges } from '../routes/discovery.ts';

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
      own.canResolve = (await readForecastOutcome(db, etch, words, readContext(parts))).state === 'open';
    const result = await judgeForecast(db, etch, readContext(parts));
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

export function mountAccountPages(app: FastifyInstance, parts: Parts): void {
  const { db, clock } = parts;

  app.get<{
    Params: { username: string };
    Querystring: { category?: string; limit?: string; cursor?: string };
  }>('/u/:username', { schema: { querystring: ROUTES.listUserEtches.query } }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.username, request);
    const { query } = request;
    if (form === 'markdown') {
      const { markdown } = await markdownPage(parts, name, query.cursor, request);
      return sendMarkdown(request, reply, markdown);
    }
    const isFirst = query.cursor === undefined;
    if (form === 'html' && isFirst) await takeAnonymous(parts, request);
    const record = await answerRecord(parts, name, { ...query, who: whoOf(request) });
    if (form === 'json') return record;
    const id = record.user.user_id;
    const days = await countRecordDays(db, id, toTime(clock.now()));
    const audited = await auditedAt(db, id, parts.lastAudit, clock.now());
    const score = isFirst ? await orProblem(scoreAccount(scoreContext(parts, request), name, 1)) : undefined;
    const scopes = isFirst ? await readScopes(db, id) : [];
    const following = await followingOf(parts, request, 'user', id);
    await prepareCards(record.etches, parts, { showAuthor: false });
    return accountPage(siteFor(parts, request), record, { days, isFirst, following, score, scopes, audited });
  });
}

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

export function mountChallengePages(app: FastifyInstance, parts: Parts): void {
  const { db, clock, view } = parts;
  const findId = challengeFinder(db);

  app.get<{ Querystring: Record<string, string> }>('/challenges', async (request) => {
    await takeAnonymous(parts, request);
    const { query } = request;
    const isJson = wantsJson(request);
    const resolved = isJson ? undefined : ['yes', 'no'].find((word) => word === query['resolved']);
    const found = await answerChallenges(
      parts,
      request.session?.caller.userId,
      query,
      resolved === undefined ? undefined : isResolved(resolved === 'yes'),
    );
    if (isJson) return found;
    const outcomes = await outcomesOf(parts, found.challenges);
    return challengesPage(siteFor(parts, request), { ...found, resolved, outcomes });
  });

  const readSaid = saidReader(parts);

  app.get<{
    Params: { id: string };
    Querystring: {
      sort?: string;
      limit?: string;
      cursor?: string;
      show?: string;
      by?: string;
      from?: string;
    };
  }>('/ch/:id', { schema: { querystring: ROUTES.getChallenge.query } }, async (request, reply) => {
    const { session, query } = request;
    const { name, form } = splitEnding(request.params.id, request);
    const standingOnly = form === 'html' && query.show === 'standing';
    const found = await answerChallenge(parts, await findId(name), query, { standingOnly });
    if (form === 'json') return found;
    const { id, question, closed } = found.challenge;
    if (form === 'markdown') {
      const { next_cursor: cursor } = found.page;
      const nextUrl = cursor && `${parts.baseUrl}/ch/${id}.md?cursor=${cursor}`;
      return sendMarkdown(request, reply, await challengeMarkdown(found, { nextUrl, drand: view.drand }));
    }
    const by = ANSWERS_BY.find((word) => word === query.by);
    const from = by ? Math.max(0, Number.parseInt(query.from ?? '0', 10) || 0) : 0;
    const isFirst = query.cursor === undefined && from === 0;
    const asked = parseQuestion(question);
    const isScored = isFirst && closed && asked.asks !== 'text';
    if (isScored) await takeAnonymous(parts, request);
    const score = isScored ? await orProblem(scoreChallenge(scoreContext(parts, request), id, 1)) : undefined;
    const scored = score && 'standings' in score ? score.standings.map(({ username }) => username) : [];
    const named = scored.length > 0 ? await listNames(db, scored) : [];
    const names = new Map(named.map((one) => [one.username, one.display_name]));
    const outcome = await outcomeOf(parts, found.challenge);
    const following = await followingOf(parts, request, 'challenge', id);
    const answers = await readSaid(found.challenge, found.counts);
    const ordered = by && answers?.said ? await pageBy(answers, by, from, found.page.limit) : undefined;
    if (ordered) found.etches = ordered.etches;
    const answered = session ? await findOwnEntry(db, id, session.caller.userId) : undefined;
    await mapInTimeSlices(found.etches, lengthOf, (etch) => drawAnswer(etch, asked));
    return challengePage(siteFor(parts, request), found, {
      isFirst,
      following,
      score,
      names,
      outcome,
      said: isFirst ? answers?.said : undefined,
      kinds: answers?.said,
      by: ordered && { by: by!, next: ordered.next },
      answered,
      standingOnly,
    });
  });

  app.get<{ Params: { id: string } }>('/ch/:id/embed', async (request, reply) => {
    const id = await findId(request.params.id);
    const { challenge, counts } = await answerChallenge(parts, id, { limit: '1' });
    const outcome = await outcomeOf(parts, challenge);
    const said = (await readSaid(challenge, counts))?.said;
    const files = assets().embed;
    void htmlHeaders(reply, embedPolicy(files));
    const page = challengeEmbedPage(siteOf(parts), { challenge, counts }, { said, outcome }, files);
    return sendFresh(request, reply, page);
  });

  async function pageBy(answers: ReadAnswers, by: AnswersBy, from: number, limit: number) {
    const ids = idsBy(answers, by);
    const etches = await etchViews(await findEtches(db, ids.slice(from, from + limit)), clock.now(), view);
    return { etches, next: from + limit < ids.length ? from + limit : null };
  }
}
