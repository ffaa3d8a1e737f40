import { isTopicId, ROUTES, TOPIC_LABELS } from '@svc/contract';
import { homePage, type OwnData, type SearchData, searchPage, topicPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { searchAccounts } from '../../discovery/accounts.ts';
import { searchChallenges } from '../../discovery/challenges.ts';
import { readHome, readOwn } from '../../discovery/feed.ts';
import { readList, type SearchDependencies } from '../../discovery/search-db.ts';
import { searchEtches } from '../../discovery/search.ts';
import { countTabs } from '../../discovery/account-store.ts';
import { Failure } from '../../platform/failure.ts';
import { lastLook } from '../../notify/follows/inbox.ts';
import { counted } from '../rate-limits.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { prepareCards } from './draw-cards.ts';
import { findLead } from './subjects.ts';
import { outcomesOf } from './scores.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendData, sendPage, wantedForm } from './send.ts';

const ON_HOME = { openings: 5, etches: 6, challenges: 4 };

interface SearchQuery {
  in?: string;
  q?: string;
  category?: string;
  status?: string;
  sort?: string;
  page?: string;
}

export function mountDiscoveryPages(app: FastifyInstance, parts: PageParts): void {
  const { discovery } = parts;

  app.get('/', async (request, reply) => {
    await takeAnonymous(parts, request);
    const found = await readHome(counted(discovery, request), request.session?.caller.userId, ON_HOME);
    if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, found);
    await prepareCards([...found.openings, ...found.etches], parts);
    const { db, clock, view } = parts.facts;
    const own = async (): Promise<OwnData | undefined> => {
      if (!request.session) return undefined;
      const { userId } = request.session.caller;
      const now = clock.now();
      const { since, lookedAt } = await lastLook(db, userId, now);
      return { ...(await readOwn(db, userId, { since, now }, view)), lookedAt };
    };
    return sendPage(request, reply, homePage(siteFor(parts.site, request), { ...found, own: await own() }));
  });

  app.get<{ Querystring: SearchQuery }>(
    '/search',
    { schema: { querystring: ROUTES.searchEtches.query } },
    async (request, reply) => {
      await takeAnonymous(parts, request);
      const { query } = request;
      const reader = request.session?.caller.userId;
      if (wantedForm(request.headers.accept) === 'json')
        return sendData(request, reply, asAnswer(await search(counted(discovery, request), reader, query)));
      const q = query.q?.trim() ?? '';
      const isFirst = query.page === undefined || query.page === '1';
      const lead = q !== '' && isFirst ? await findLead(parts, q) : undefined;
      if (lead !== undefined) return reply.header('Cache-Control', 'no-store').redirect(lead, 303);
      // This may be the start of a handle.
      const asked = q.startsWith('@') && query.in === undefined ? { ...query, in: 'accounts' } : query;
      const from = counted(discovery, request);
      const found = await search(from, reader, asked);
      const tabs =
        q === ''
          ? undefined
          : await readList(from, reader, ({ searchDb }) =>
              searchDb.run(true, (db) => countTabs(db, query.q!, found.query.categories)),
            );
      if (found.among === 'etches')
        await prepareCards(found.etches, parts, { hit: found.query.q ?? undefined });
      const outcomes = found.among === 'challenges' ? await outcomesOf(parts, found.challenges) : undefined;
      return sendPage(request, reply, searchPage(siteFor(parts.site, request), found, { tabs, outcomes }));
    },
  );

  app.get<{ Params: { id: string }; Querystring: { page?: string } }>(
    '/topics/:id',
    { schema: { querystring: ROUTES.searchEtches.query } },
    async (request, reply) => {
      const { id } = request.params;
      if (!isTopicId(id)) throw new Failure('not_found', 'there is no topic with this id');
      await takeAnonymous(parts, request);
      const { page } = request.query;
      const asked = { category: id, ...(page && { page }) };
      const found = await searchEtches(counted(discovery, request), request.session?.caller.userId, asked);
      if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, found);
      await prepareCards(found.etches, parts);
      const category = { id, label: TOPIC_LABELS[id] };
      const following = await followingOf(parts.facts, request, 'category', id);
      return sendPage(
        request,
        reply,
        topicPage(siteFor(parts.site, request), { category, ...found }, following),
      );
    },
  );

  async function search(
    from: SearchDependencies,
    reader: string | undefined,
    { in: among, ...query }: SearchQuery,
  ): Promise<SearchData> {
    if (among === 'challenges') return { among, ...(await searchChallenges(from, reader, query)) };
    if (among !== 'accounts') {
      const { q, category, status, sort, page } = query;
      const asked = { q, category, status, sort, page };
      return { among: 'etches', ...(await searchEtches(from, reader, withoutUndefined(asked))) };
    }
    if (!query.q?.trim() && !query.category?.split(',').some(isTopicId)) {
      const nothing = { number: 1, pages: 1, total: 0 };
      return { among, query: { q: null, sort: 'best', categories: [] }, accounts: null, page: nothing };
    }
    return { among, ...(await searchAccounts(from, reader, query)) };
  }
}

const asAnswer = ({ among: _, ...answer }: SearchData): object => answer;

function withoutUndefined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
