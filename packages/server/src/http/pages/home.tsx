import type { ChallengeListItem, Etch } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { homeCard } from '@svc/web/cards/card';
import { type ListOutcomes, questionText, titleOf, type ShownEtch } from '@svc/web/etch-text';
import { renderPage } from '@svc/web/layout';
import { ChallengeList } from '@svc/web/parts/challenge-card';
import { DraftList } from '@svc/web/parts/drafts';
import { EtchList } from '@svc/web/parts/etch-card';
import { chooseExample, WorkedExample } from '@svc/web/parts/example';
import { SealHere } from '@svc/web/parts/seal-here';
import { SearchForm } from '@svc/web/parts/filters';
import { TopicLinks } from '@svc/web/parts/lists';
import { say } from '@svc/web/parts/prose';
import { atTime, pastTime, safe, safeLink } from '@svc/web/parts/values';
import { isDevnet, NEWS_COUNTED, type Page, type Site, SITE_NAME } from '@svc/web/site';
import { pictureOf } from '@svc/web/sharing/oembed';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countClosedNews, lastLook } from '../../notify/follows/inbox-store.ts';
import { listAnsweredIds } from '../../challenges/list-store.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { counted } from '../rate-limits.ts';
import { outcomesOfAnswered, withCards } from './page-data.ts';
import { wantsJson } from './send.ts';
import { takeAnonymous } from './session.ts';
import { readToResolve } from './signed-in/resolve-here.tsx';
import { siteFor } from './site.ts';
import { readHome, readOwn } from '../../discovery/feed-store.ts';

const ON_HOME = { openings: 5, etches: 6, challenges: 4 };

export function mountHomePage(app: FastifyInstance, deps: HttpDependencies): void {
  app.get('/', async (request) => {
    await takeAnonymous(deps, request);
    const found = await readHome(counted(deps.discovery, request), request.session?.caller.userId, ON_HOME);
    if (wantsJson(request)) return found;
    const etches = await withCards(deps, [...found.openings, ...found.etches]);
    const openings = etches.splice(0, found.openings.length);
    const outcomes = await outcomesOfAnswered(deps, [...openings, ...etches]);
    const own = await load(deps, request, found.challenges);
    return homePage(siteFor(deps, request), { ...found, openings, etches, outcomes, own });
  });
}

async function load(
  deps: HttpDependencies,
  { session }: FastifyRequest,
  closing: readonly ChallengeListItem[],
): Promise<OwnData | undefined> {
  if (!session) return undefined;
  const { db, clock, view } = deps;
  const { userId } = session.caller;
  const now = clock.now();
  const { since, lookedAt } = await lastLook(db, userId, now);
  const tasks = await readToResolve(deps, userId);
  const among = closing.map(({ id }) => id);
  const answered = new Set(await listAnsweredIds(db, userId, among));
  const toAnswer = closing.filter(({ id }) => !answered.has(id)).slice(0, SHOWN_TO_ANSWER);
  const ids = tasks.toResolve.map(({ id }) => id);
  const taskNews = await countClosedNews(db, userId, since, ids);
  const own = await readOwn(db, userId, { since, now }, view);
  return { ...own, lookedAt, ...tasks, taskNews, toAnswer, answered };
}

interface HomeData {
  openings: readonly ShownEtch[];
  etches: readonly ShownEtch[];
  challenges: readonly ChallengeListItem[];
  outcomes?: ListOutcomes | undefined;
  own?: OwnData | undefined;
}

export function homePage(site: Site, { openings, etches, challenges, outcomes, own }: HomeData): Page {
  const leads = !own || own.isNew;
  const worked = leads ? chooseExample(openings) : undefined;
  const opened = openings.filter((etch) => etch !== worked);
  const showsOpenings = leads || opened.length > 0;
  const toAnswer = own && !own.isNew ? own.toAnswer : [];
  const others = challenges.filter(({ id }) => toAnswer.every((one) => one.id !== id));
  return renderPage(
    site,
    {
      title: SITE_NAME,
      description: `Write it down now, prove later that you did: texts bound to a time, sealed or public${
        isDevnet(site)
          ? ''
          : `, anchored on the blockchain ${site.chain.name}, checkable without this service`
      }.`,
      canonical: `${site.baseUrl}/`,
      alternates: [{ type: 'application/json', href: '/' }],
      picture: pictureOf(site, '', homeCard(site)),
      islands: own ? ['drafts.js', 'times.js'] : ['seal.js', 'times.js'],
    },
    <>
      {own ? (
        <section class="hero wide small">
          <h1>
            {own.isNew ? 'Welcome' : 'Welcome back'}, {safe(site.viewer!.displayName)}
          </h1>
          <a class="button" href="/write">
            Write an etch
          </a>
        </section>
      ) : (
        <Hero site={site} />
      )}
      {own && (
        <div class="wide">
          <DraftList site={site} title="Drafts on this device" />
        </div>
      )}
      {own && (
        <NextSteps
          toResolve={own.toResolve}
          hasMoreToResolve={own.hasMoreToResolve}
          toAnswer={toAnswer}
          news={newsBesideTasks(site.viewer?.news, own)}
        />
      )}
      {own && <OwnSummary own={own} username={site.viewer!.username} />}
      {leads && <WorkedExample site={site} etch={worked} />}
      <div class={showsOpenings ? 'wide columns' : 'wide'}>
        {showsOpenings && (
          <section>
            <h2>Just opened</h2>
            <EtchList
              site={site}
              etches={opened}
              outcomes={outcomes}
              empty={`Nothing ${worked ? 'else ' : ''}that was sealed has opened yet.`}
            />
          </section>
        )}
        <section>
          {(others.length > 0 || toAnswer.length === 0) && (
            <>
              <h2>{toAnswer.length > 0 ? 'More that close soon' : 'Closing soon'}</h2>
              <ChallengeList
                challenges={others}
                answered={own?.answered}
                empty="No challenge is open at the moment."
              />
              <p class="more">
                {say`
                  Sealed questions: each account answers once, and all answers open at the same moment.
                  [All challenges →](/challenges)
                `}
              </p>
            </>
          )}
          <h2>Look something up</h2>
          <SearchForm />
          <TopicLinks />
        </section>
      </div>
      {(leads || etches.length > 0) && (
        <section class="wide">
          <h2>Newest public etches</h2>
          <EtchList
            site={site}
            etches={etches}
            outcomes={outcomes}
            empty="No other etch is public yet."
            inPairs
          />
          <p class="more">{say`[All etches, sealed ones too →](/search)`}</p>
        </section>
      )}
    </>,
  );
}

/** The form next to this text has the only button. */
function Hero({ site }: { site: Site }) {
  return (
    <section class="hero wide split">
      <div>
        <h1>Write it down now. Prove later that you did.</h1>
        <p class="lead">
          An etch is a text with {isDevnet(site) ? 'its time' : 'a proven time'}. Seal it, and it opens on a
          date that you set.{' '}
          {isDevnet(site)
            ? 'This service is for trying it out: its operator can rewrite its development chain, so it proves nothing to strangers.'
            : 'Once it is anchored, neither you nor this service can change it unnoticed. Anyone can check that.'}
        </p>
        <p>{say`[See an example](#example), or [check a receipt](/verify).`}</p>
      </div>
      <SealHere />
    </section>
  );
}

type ToResolve = { id: string; question: string; reveal_at: string };

interface OwnData {
  toResolve: readonly ToResolve[];
  /** whether `toResolve` is cut */
  hasMoreToResolve?: boolean;
  /** challenges that close soon without an answer of the reader */
  toAnswer: readonly ChallengeListItem[];
  /** ids of challenges that close soon with an answer of the reader */
  answered?: ReadonlySet<string>;
  /** number of unread events about the challenges in `toResolve` */
  taskNews?: number;
  next: readonly Etch[];
  opened: readonly Etch[];
  lookedAt: string | null;
  isNew: boolean;
}

/** The header counts the closed challenges among the news too. */
const newsBesideTasks = (news = 0, { taskNews = 0 }: OwnData): number =>
  news < NEWS_COUNTED ? Math.max(0, news - taskNews) : news;

interface OwnSummaryProps {
  own: OwnData;
  username: string;
}

function OwnSummary({ own: { next, opened, lookedAt, isNew }, username }: OwnSummaryProps) {
  if (isNew) return firstSteps();
  const all = <p class="more">{say`[All your etches →](/u/${username})`}</p>;
  if (next.length + opened.length === 0)
    return (
      <section class="wide" aria-label="Yours">
        <p class="quiet">{say`None of your etches is sealed now. [Seal something](/write)`}</p>
        {all}
      </section>
    );
  return (
    <section class="wide" aria-label="Yours">
      <div class="halves">
        {next.length > 0 && (
          <div>
            <h2>Your etches that open next</h2>
            {rows(next, 'Opens', atTime)}
          </div>
        )}
        {opened.length > 0 && (
          <div>
            <h2>Your etches that opened {lookedAt === null ? 'this week' : 'since your last visit'}</h2>
            {rows(opened, 'Opened', pastTime)}
          </div>
        )}
      </div>
      {all}
    </section>
  );
}

const SHOWN_TO_RESOLVE = 3;
const SHOWN_TO_ANSWER = 2;

interface NextStepsProps {
  toResolve: readonly ToResolve[];
  hasMoreToResolve?: boolean | undefined;
  toAnswer: readonly ChallengeListItem[];
  news?: number | undefined;
}

/** Lists the reader's open tasks, each with its button. Returns null without tasks. */
function NextSteps({ toResolve, hasMoreToResolve = false, toAnswer, news = 0 }: NextStepsProps) {
  if (toResolve.length === 0 && toAnswer.length === 0 && news === 0) return null;
  return (
    <section class="wide next-steps" aria-label="What to do next">
      <div class="card">
        {toResolve.length > 0 && (
          <>
            <h2>
              {toResolve.length}
              {hasMoreToResolve && '+'} to resolve
            </h2>
            <ul class="plain-list">{toResolve.slice(0, SHOWN_TO_RESOLVE).map(stepToResolve)}</ul>
            {toResolve.length > SHOWN_TO_RESOLVE && (
              <details>
                <summary>{toResolve.length - SHOWN_TO_RESOLVE} more</summary>
                <ul class="plain-list">{toResolve.slice(SHOWN_TO_RESOLVE).map(stepToResolve)}</ul>
              </details>
            )}
          </>
        )}
        {news > 0 && (
          <p class="step-row">
            <strong>{news < NEWS_COUNTED ? news : `${NEWS_COUNTED - 1}+`} new in your inbox</strong>
            <a class="button secondary" href="/inbox">
              Read the news
            </a>
          </p>
        )}
        {toAnswer.length > 0 && (
          <>
            <h2>Closing soon, not answered by you</h2>
            <ul class="plain-list">
              {toAnswer.map(({ id, question, reveal_at: closes }) =>
                nextStep(
                  safeLink(`/ch/${id}`, questionText(question)),
                  <>Closes {atTime(closes)}</>,
                  <a class="button secondary" href={`/ch/${id}#answer`}>
                    Answer<span class="visually-hidden">: {safe(questionText(question))}</span>
                  </a>,
                ),
              )}
            </ul>
            <p class="more">{say`[All open challenges →](/challenges)`}</p>
          </>
        )}
      </div>
    </section>
  );
}

const stepToResolve = ({ id, question, reveal_at: closed }: ToResolve) =>
  nextStep(
    safeLink(`/ch/${id}`, questionText(question)),
    <>Closed {pastTime(closed)}</>,
    <a class="button" href={`/ch/${id}/resolve`}>
      Resolve<span class="visually-hidden">: {safe(questionText(question))}</span>
    </a>,
  );

const nextStep = (title: ComponentChildren, text: ComponentChildren, button: ComponentChildren) => (
  <li class="step-row">
    <span>
      {title}
      <br />
      <span class="quiet">{text}</span>
    </span>
    {button}
  </li>
);

const rows = (etches: readonly Etch[], verb: string, timeOf: typeof pastTime) => (
  <ul class="plain-list">
    {etches.map((etch) => (
      <li>
        {safeLink(`/e/${etch.id}`, titleOf(etch))}
        <br />
        <span class="quiet">
          {verb} {timeOf(etch.reveal_at!)}
        </span>
      </li>
    ))}
  </ul>
);

const step = (href: string, title: string, text: string) => (
  <li>
    <h3>
      <a href={href}>{title}</a>
    </h3>
    <p>{text}</p>
  </li>
);

const firstSteps = () => (
  <section class="wide" aria-labelledby="first-steps">
    <h2 id="first-steps">First steps</h2>
    <ol class="steps">
      {step(
        '/write',
        'Write a first etch',
        'A prediction, a decision, a claim. Sealed for a day, it shows you the whole way.',
      )}
      {step(
        '/challenges',
        'Answer a challenge',
        'Each account answers once, and all answers open at the same moment.',
      )}
      {step(
        '/search?in=accounts',
        'Follow an account',
        'Its etches appear in your feed. You can follow topics too.',
      )}
      {step('/verify', 'Check a receipt', 'Save a receipt from any etch and check it yourself.')}
    </ol>
  </section>
);
