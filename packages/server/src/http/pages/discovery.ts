import { isTopicId, ROUTES, TOPIC_LABELS } from '@svc/contract';
import { homePage, type OwnData } from './home.tsx';
import type { SearchData } from '@svc/web/parts/search-aids';
import { searchPage, topicPage } from './search.tsx';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { searchAccounts } from '../../discovery/account-store.ts';
import { searchChallenges } from '../../discovery/challenge-store.ts';
import { searchEtches } from '../../discovery/search.ts';
import { lastLook } from '../../notify/follows/inbox-store.ts';
import { Failure } from '../../platform/failure.ts';
import type { Parts } from '../parts.ts';
import { counted } from '../rate-limits.ts';
import { outcomesOf, withCards } from './page-data.ts';
import { seeOther, wantsJson } from './send.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';
import { findLead } from './subjects.ts';
import { readHome, readOwn } from '../../discovery/feed-store.ts';
import { readList, type SearchDependencies } from '../../discovery/search-db.ts';
import { countTabs } from '../../discovery/tabs-store.ts';

const ON_HOME = { openings: 5, etches: 6, challenges: 4 };

interface SearchQuery {
  in?: string;
  q?: string;
  category?: string;
  status?: string;
  sort?: string;
  page?: string;
}

export function mountDiscoveryPages(app: FastifyInstance, parts: Parts): void {
  const { db, clock, view, discovery } = parts;
  const querystring = ROUTES.searchEtches.query;

  app.get('/', async (request) => {
    await takeAnonymous(parts, request);
    const found = await readHome(counted(discovery, request), request.session?.caller.userId, ON_HOME);
    if (wantsJson(request)) return found;
    const cards = await withCards(parts, [...found.openings, ...found.etches]);
    const openings = cards.splice(0, found.openings.length);
    const own = await ownOnHome(request);
    return homePage(siteFor(parts, request), { ...found, openings, etches: cards, own });
  });

  async function ownOnHome({ session }: FastifyRequest): Promise<OwnData | undefined> {
    if (!session) return undefined;
    const { userId } = session.caller;
    const now = clock.now();
    const { since, lookedAt } = await lastLook(db, userId, now);
    return { ...(await readOwn(db, userId, { since, now }, view)), lookedAt };
  }

  app.get<{ Querystring: SearchQuery }>('/search', { schema: { querystring } }, async (request, reply) => {
    await takeAnonymous(parts, request);
    const { query } = request;
    const reader = request.session?.caller.userId;
    const from = counted(discovery, request);
    if (wantsJson(request)) {
      const { among: _, ...answer } = await search(from, reader, query);
      return answer;
    }
    const q = query.q?.trim() ?? '';
    const isFirst = query.page === undefined || query.page === '1';
    const lead = q !== '' && isFirst ? await findLead(parts, q) : undefined;
    if (lead !== undefined) return seeOther(reply, lead);
    // This may be the start of a handle.
    const asked = q.startsWith('@') && query.in === undefined ? { ...query, in: 'accounts' } : query;
    const found = await search(from, reader, asked);
    const { categories } = found.query;
    const count = ({ searchDb }: Pick<SearchDependencies, 'searchDb'>) =>
      searchDb.run(true, (tx) => countTabs(tx, query.q!, categories));
    const tabs = q === '' ? undefined : await readList(from, reader, count);
    const outcomes = found.among === 'challenges' ? await outcomesOf(parts, found.challenges) : undefined;
    const shown =
      found.among === 'etches'
        ? { ...found, etches: await withCards(parts, found.etches, { hit: found.query.q ?? undefined }) }
        : found;
    return searchPage(siteFor(parts, request), shown, { tabs, outcomes });
  });

  app.get<{ Params: { id: string }; Querystring: { page?: string } }>(
    '/topics/:id',
    { schema: { querystring } },
    async (request) => {
      const { id } = request.params;
      if (!isTopicId(id)) throw new Failure('not_found', 'there is no topic with this id');
      await takeAnonymous(parts, request);
      const { page } = request.query;
      const asked = { category: id, ...(page && { page }) };
      const found = await searchEtches(counted(discovery, request), request.session?.caller.userId, asked);
      if (wantsJson(request)) return found;
      const etches = await withCards(parts, found.etches);
      const category = { id, label: TOPIC_LABELS[id] };
      const following = await followingOf(parts, request, 'category', id);
      return topicPage(siteFor(parts, request), { ...found, category, etches }, following);
    },
  );
}

async function search(
  from: SearchDependencies,
  reader: string | undefined,
  { in: among, ...query }: SearchQuery,
): Promise<SearchData> {
  if (among === 'challenges') return { among, ...(await searchChallenges(from, reader, query)) };
  if (among !== 'accounts') {
    const names = ['q', 'category', 'status', 'sort', 'page'] as const;
    const asked = Object.fromEntries(
      names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
    );
    return { among: 'etches', ...(await searchEtches(from, reader, asked)) };
  }
  if (!query.q?.trim() && !query.category?.split(',').some(isTopicId)) {
    const nothing = { number: 1, pages: 1, total: 0 };
    return { among, query: { q: null, sort: 'best', categories: [] }, accounts: null, page: nothing };
  }
  return { among, ...(await searchAccounts(from, reader, query)) };
}
