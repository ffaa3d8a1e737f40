import { type AccountScore, type ChallengeListItem, type Etch, parseDateTime } from '@svc/contract';
import { countText, ordinal } from '@svc/web/format';
import { narrowPage } from '@svc/web/layout';
import { byline } from '@svc/web/parts/author';
import { Done, PostForm, Submit } from '@svc/web/parts/form';
import { prose, say } from '@svc/web/parts/prose';
import { saidIn } from '@svc/web/parts/score-parts';
import { StatusTag, Tag } from '@svc/web/parts/tag';
import { atTime, pastTime, safe, safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import {
  type ListOutcomes,
  outcomeText,
  outcomeValue,
  questionText,
  takenDownFor,
  titleOf,
  unitOf,
} from '@svc/web/etch-text';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findChallenges } from '../../../challenges/store.ts';
import { readInbox, seeInbox } from '../../../notify/follows/inbox-store.ts';
import { badField } from '../../../platform/failure.ts';
import { readOutcomes } from '../../../records/scores/resolution.ts';
import { findRank } from '../../../records/scores/score.ts';
import { type HttpDependencies, readContext, scoreContext } from '../../dependencies.ts';
import { orProblem } from '../page-data.ts';
import { formOf } from '../form.ts';
import { callerOf } from '../session.ts';
import { seeOther } from '../send.ts';
import { keyIn, siteFor } from '../site.ts';
import { readToResolve, ResolveHere } from './resolve-here.tsx';

/** A rank reads all forecasts of its challenge. */
const RANKS_SHOWN = 3;

export function mountInboxPage(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, view } = deps;

  pages.get<{ Querystring: { done?: string } }>('/inbox', async (request) => {
    const caller = callerOf(request);
    const inbox = await readInbox(db, caller, clock.now(), view);
    const about = (which: string) =>
      inbox.items.flatMap(({ news, challenge }) => (news === which && challenge ? [challenge.id] : []));
    const found = await findChallenges(db, [...about('closed'), ...about('resolved')]);
    const asked = found.flatMap((row) => (row?.creator_id === caller.userId ? [row] : []));
    const outcomes = await readOutcomes(db, asked, readContext(deps));
    const resolved = inbox.items.flatMap(({ challenge, resolution }) =>
      challenge && resolution?.status === 'revealed' ? [challenge.id] : [],
    );
    const ranks = await findRanks(request, resolved.slice(0, RANKS_SHOWN));
    const done = keyIn(INBOX_DONE, request.query.done);
    const tasks = await readToResolve(deps, caller.userId);
    return inboxPage(siteFor(deps, request), inbox, { done, outcomes, ranks, ...tasks });
  });

  async function findRanks(request: FastifyRequest, ids: readonly string[]): Promise<Map<string, Rank>> {
    const { userId } = callerOf(request);
    const ranks = new Map<string, Rank>();
    for (const id of ids) {
      const found = await orProblem(findRank(scoreContext(deps, request), id, userId));
      if (found && 'rank' in found) ranks.set(id, found);
    }
    return ranks;
  }

  pages.post('/inbox/seen', async (request, reply) => {
    const caller = callerOf(request);
    const asOf = parseDateTime(formOf(request)['as_of'] ?? '');
    if (asOf === null) throw badField('as_of', 'must be the time of the inbox that was seen');
    await seeInbox(db, caller, Date.parse(asOf), clock.now());
    return seeOther(reply, '/inbox?done=seen');
  });
}

interface NewsItem {
  news: 'opened' | 'closed' | 'late' | 'retracted' | 'resolved';
  own: boolean;
  at: string;
  etch?: Etch;
  challenge?: ChallengeListItem;
  /** the etch that resolves the challenge, or the forecast in `etch` */
  resolution?: Etch;
}

interface InboxData {
  since: string;
  isFirst: boolean;
  asOf: string;
  items: readonly NewsItem[];
  more: boolean;
  followers: number;
}

interface Rank extends Pick<AccountScore['forecasts'][number], 'forecast' | 'outcome'> {
  rank: number;
  of: number;
}

const INBOX_DONE = {
  seen: 'Marked as read. New events will appear here.',
  resolved: 'Your outcome is published. It counts once it is anchored.',
} as const;

interface InboxExtras {
  done: keyof typeof INBOX_DONE | undefined;
  /** of the reader's own challenges */
  outcomes: ListOutcomes;
  ranks: ReadonlyMap<string, Rank>;
  toResolve: readonly ToResolve[];
  /** whether `toResolve` is cut */
  hasMoreToResolve: boolean;
}

type ToResolve = Pick<ChallengeListItem, 'id' | 'question' | 'reveal_at'>;

const SAID = {
  opened: { glyph: 'revealed', text: 'Opened' },
  closed: { glyph: 'revealed', text: 'Closed' },
  late: { glyph: 'pending', text: 'Anchored late: it proves only the later time' },
  retracted: { glyph: 'retracted', text: 'Retracted' },
  resolved: { glyph: 'pass', text: 'Resolved' },
} as const;

/** The open tasks, then the events since the account last marked all as seen. */
export function inboxPage(site: Site, data: InboxData, extras: InboxExtras): Page {
  const { since, isFirst, asOf, items, more, followers } = data;
  const tasks = new Set(extras.toResolve.map(({ id }) => id));
  const news = items.filter((item) => item.news !== 'closed' || !tasks.has(item.challenge?.id ?? ''));
  const isEmpty = news.length === 0 && followers === 0;
  return narrowPage(
    site,
    {
      title: 'Inbox',
      description: 'What happened to your etches and challenges',
      islands: ['times.js'],
      unlisted: true,
      section: '/inbox',
    },
    extras.done && <Done>{INBOX_DONE[extras.done]}</Done>,
    <ToResolve {...extras} />,
    <section>
      <div class="title-row">
        <h2>{isFirst ? 'News' : 'Since your last visit'}</h2>
        {(items.length > 0 || followers > 0) && (
          <PostForm action="/inbox/seen" class="inline" sends={{ as_of: asOf }}>
            <Submit kind="secondary">Mark all as read</Submit>
          </PostForm>
        )}
      </div>
      <p class="quiet">
        {isFirst
          ? 'News of the last seven days about your etches and challenges, and about those you follow.'
          : say`News since ${atTime(since)} about your etches and challenges, and about those you follow.`}
      </p>
      {followers > 0 && <p class="named">{countText(followers, 'account')} began to follow you.</p>}
      {isEmpty ? (
        <div class="empty">
          {prose`
            ${isFirst ? 'Nothing yet.' : 'Nothing since then.'}

            See [what you watch](/watching) or [what is new](/feed).
          `}
        </div>
      ) : (
        <ul class="cards news">
          {news.map((item) => (
            <li>
              <article class="card">{newsCard(item, site.viewer?.username, extras)}</article>
            </li>
          ))}
        </ul>
      )}
      {more && <p class="quiet">Only the newest hundred are shown; your record has all.</p>}
      {!isEmpty && <p class="quiet">The service stores only when you last marked all as read.</p>}
    </section>,
  );
}

/** They stay until they are resolved. */
function ToResolve({ toResolve, hasMoreToResolve }: InboxExtras) {
  if (toResolve.length === 0) return null;
  return (
    <section class="to-resolve">
      <h2>
        {toResolve.length}
        {hasMoreToResolve && '+'} to resolve
      </h2>
      <ul class="cards">
        {toResolve.map(({ id, question, reveal_at: closed }) => (
          <li>
            <article class="card">
              <h3>{safeLink(`/ch/${id}`, questionText(question))}</h3>
              <p class="quiet">Closed {pastTime(closed)}</p>
              <ResolveHere id={id} question={question} />
            </article>
          </li>
        ))}
      </ul>
    </section>
  );
}

function newsCard(item: NewsItem, viewer: string | undefined, { outcomes, ranks }: InboxExtras) {
  const { news, own, at, etch, challenge, resolution } = item;
  const { glyph, text } = SAID[news];
  const outcome = challenge && outcomes.get(challenge.id);
  const rank = challenge && ranks.get(challenge.id);
  const isOwn = etch === undefined ? outcome !== undefined : etch.author.username === viewer;
  const whose = isOwn ? 'yours' : own ? 'you take part' : 'followed';
  const isTakenDown = etch !== undefined && takenDownFor(etch) !== null;
  const said = resolution && outcomeText(resolution, challenge?.question);
  const isResolved = resolution?.status === 'revealed';
  return (
    <>
      <p class="card-top">
        {resolution?.status === 'retracted' ? (
          <StatusTag etch={resolution} />
        ) : (
          <Tag glyph={glyph}>
            {news === 'retracted' && isTakenDown
              ? 'Taken down'
              : isResolved
                ? safe(said!.replace(/\.$/, ''))
                : text}
          </Tag>
        )}
        <span class="badge">{whose}</span>
        <span class="quiet">{pastTime(at)}</span>
      </p>
      {challenge && <h3>{safeLink(`/ch/${challenge.id}`, questionText(challenge.question))}</h3>}
      {etch && <h3>{safeLink(`/e/${etch.id}`, titleOf(etch))}</h3>}
      {resolution && (
        <p>
          {isResolved &&
            rank &&
            say`
              You said ${saidIn(rank, unitOf(challenge.question).trim() || null)}.
              You ranked ${ordinal(rank.rank)} of ${rank.of.toLocaleString('en')}.${' '}
            `}
          {safeLink(`/e/${resolution.id}`, isResolved ? 'The resolution and its proof' : said!)}
        </p>
      )}
      {outcome?.state === 'pending' && (
        <p>
          You said: <strong>{safe(outcomeValue(outcome.outcome, unitOf(challenge!.question)))}</strong>. It
          counts once it is anchored.
        </p>
      )}
      {etch && !own && byline(etch.author, etch.author.user_id)}
    </>
  );
}
