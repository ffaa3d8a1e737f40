import { type AccountCounts, type AccountScore, type RecordUser, ROUTES } from '@svc/contract';
import type { DatedScope, ScopeHistory } from '@svc/protocol/conventions';
import { accountCard } from '@svc/web/cards/card';
import { nameOf, questionText, titleOf, unitOf } from '@svc/web/etch-text';
import { recordText, safeUrl, withQuery } from '@svc/web/format';
import { renderPage } from '@svc/web/layout';
import { Portrait } from '@svc/web/parts/author';
import { EtchList } from '@svc/web/parts/etch-card';
import { HubRounds } from '@svc/web/parts/hub-rounds';
import { ShareButton } from '@svc/web/parts/share';
import { FollowButton, type Following } from '@svc/web/parts/follow-button';
import { CursorPager } from '@svc/web/parts/lists';
import { prose, say } from '@svc/web/parts/prose';
import { type AskedForecast, type Scored, TrackRecord } from '@svc/web/parts/score-parts';
import { Timeline, type TimelineDay } from '@svc/web/parts/timeline';
import { auditedText } from '@svc/web/proof-status';
import { facts, fullHash, onDay, outsideLink, safe, safeLink, withTimes } from '@svc/web/parts/values';
import type { RecordPage } from '@svc/web/sharing/atom';
import type { Page, Site } from '@svc/web/site';
import { preview } from '@svc/web/sharing/oembed';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toTime } from '../../db/clock.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews } from '../../etches/view.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { daysWithBlindSeals, listBlindSeals, withBlindSeals } from '../../records/blind-store.ts';
import { countRecordDays, readScopes } from '../../records/record-store.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { type HttpDependencies, scoreContext } from '../dependencies.ts';
import { whoOf } from '../rate-limits.ts';
import { answerRecord, markdownPage } from '../routes/records.ts';
import { orProblem, withCards } from './page-data.ts';
import { sendMarkdown, splitEnding } from './send.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';

interface AccountRequest {
  Params: { username: string };
  Querystring: { category?: string; limit?: string; cursor?: string };
}

export function mountAccountPage(app: FastifyInstance, deps: HttpDependencies): void {
  const schema = { querystring: ROUTES.listUserEtches.query };
  app.get<AccountRequest>('/u/:username', { schema }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.username, request);
    const { query } = request;
    if (form === 'markdown') {
      const { markdown } = await markdownPage(deps, name, query.cursor, request);
      return sendMarkdown(request, reply, markdown);
    }
    const isFirst = query.cursor === undefined;
    if (form === 'html' && isFirst) await takeAnonymous(deps, request);
    const record = await answerRecord(deps, name, { ...query, who: whoOf(request) });
    if (form === 'json') return record;
    const loaded = await load(deps, request, { user: record.user, isFirst });
    const { score } = loaded;
    const results =
      score && 'forecasts' in score ? new Map(score.forecasts.map((one) => [one.etch_id, one])) : undefined;
    const etches = await withCards(deps, record.etches, { showAuthor: false, results });
    const counts = withBlindSeals(record.counts, loaded.blind);
    return accountPage(siteFor(deps, request), { ...record, counts, etches }, loaded);
  });
}

interface Loaded {
  /** number of blind seals */
  blind: number;
  days: readonly TimelineDay[];
  isFirst: boolean;
  following?: Following | undefined;
  score?: Scored<AccountScore> | undefined;
  asked?: ReadonlyMap<string, AskedForecast> | undefined;
  scopes?: readonly ShownScope[];
  /** time of the operator's last audit of all accounts, if it passed and covers this one */
  audited?: string | undefined;
}

async function load(
  deps: HttpDependencies,
  request: FastifyRequest,
  { user, isFirst }: { user: RecordUser; isFirst: boolean },
): Promise<Loaded> {
  const { db, clock, view } = deps;
  const { user_id: id, username } = user;
  const score = isFirst ? await orProblem(scoreAccount(scoreContext(deps, request), username, 1)) : undefined;
  const seals = await listBlindSeals(db, [id], view.drand);
  return {
    score,
    asked: score && 'forecasts' in score ? await readAsked(deps, score.forecasts) : undefined,
    blind: seals.length,
    days: daysWithBlindSeals(await countRecordDays(db, id, toTime(clock.now())), seals),
    isFirst,
    audited: await auditedAt(db, id, deps.lastAudit, clock.now()),
    scopes: isFirst ? await readScopes(db, id) : [],
    following: await followingOf(deps, request, 'user', id),
  };
}

async function readAsked(
  { db, clock, view }: HttpDependencies,
  forecasts: AccountScore['forecasts'],
): Promise<Map<string, AskedForecast>> {
  const rows = await findEtches(
    db,
    forecasts.map(({ etch_id }) => etch_id),
  );
  const etches = await etchViews(rows, clock.now(), view);
  return new Map(
    etches.map((etch) => {
      const question = etch.challenge?.question;
      return [
        etch.id,
        question
          ? { title: questionText(question), unit: unitOf(question).trim() || null }
          : { title: titleOf(etch), unit: null },
      ];
    }),
  );
}

export function accountPage(site: Site, data: RecordPage, beside: Omit<Loaded, 'blind'>): Page {
  const { user, counts, etches, page } = data;
  const { days, isFirst, following, score, asked, scopes = [], audited } = beside;
  const here = `/u/${user.username}` as const;
  const isNamed = nameOf(user) !== user.username;
  const shared = preview(site, here, accountCard(site, user, counts), [
    { type: 'application/json', href: `/api/v1/users/${user.username}/etches` },
    { type: 'text/markdown', href: `${here}/record.md` },
    { type: 'application/atom+xml', href: `${here}/feed.atom`, title: `Etches of @${user.username}` },
  ]);
  return renderPage(
    site,
    {
      title: `${nameOf(user)} (@${user.username})`,
      description: `The record of @${user.username} has ${recordText(counts)}.`,
      canonical: `${site.baseUrl}${here}`,
      ...shared,
      islands: ['copy.js', 'times.js', 'audit.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <p class="card-top">
          <span class="badge">{user.kind === 'agent' ? 'agent' : 'person'}</span>
          {user.official && <span class="badge">official account of this service</span>}
          <span class="quiet">here since {onDay(user.created_at)}</span>
        </p>
        <h1 class="with-portrait">
          <Portrait id={user.user_id} size={64} /> {isNamed ? safe(nameOf(user)) : `@${user.username}`}
        </h1>
        {isNamed && <p class="byline">@{user.username}</p>}
        <div class="actions lesser">
          {site.viewer?.username !== user.username && (
            <FollowButton site={site} following={following} back={here} what="this account" />
          )}
          <ShareButton url={`${site.baseUrl}${here}`} />
        </div>
      </header>
      {countList(counts)}
      <Timeline days={days} />
      {score && <TrackRecord score={score} asked={asked} sealed={counts.sealed_pending_reveal} />}
      <section class="standing plain" aria-labelledby="standing">
        <h2 id="standing">No etch can be edited, and retractions stay</h2>
        <p>This service says that the list below has every etch of this account, also retracted ones.</p>
        <div class="awaits-script" data-audit={user.user_id} data-username={user.username} hidden>
          <p>
            <button type="button" class="secondary">
              Check that nothing is left out
            </button>
          </p>
          <div data-result="" role="status" />
        </div>
        <details>
          <summary>How to check that</summary>
          {prose`
            ~svc audit ${user.username}~ compares the list with [all anchored trees](/trees): no etch in a tree of
            version 2 can be missing unnoticed.
            ~svc audit ${user.username} --index~ and the button above read less, and rely on the operator, or on a
            witness that recomputed the index.
            ${audited !== undefined && withTimes(auditedText(audited))}
          `}
        </details>
        <Scopes scopes={scopes} />
      </section>
      <p class="quiet">{standingOf(user)}</p>
      {confirmedBy(user)}
      <HubRounds etches={etches} isPart={!isFirst || page.has_more} />
      <section>
        <h2>Etches</h2>
        <p class="quiet">
          {say`
            The same as [one document](${here}/record.md), [as data](/api/v1/users/${user.username}/etches), or as
            [a feed to subscribe to](${here}/feed.atom).
          `}
        </p>
        <EtchList
          site={site}
          etches={etches}
          empty={
            site.viewer?.username === user.username
              ? say`You have no etches yet. [Write a first etch](/write)`
              : 'This account has no etches yet.'
          }
          showAuthor={false}
        />
        <CursorPager
          first={isFirst ? null : here}
          next={page.next_cursor && withQuery(here, { cursor: page.next_cursor })}
        />
      </section>
      <details>
        <summary>Technical details</summary>
        {facts(
          ['Public key (Ed25519)', user.public_key && fullHash(user.public_key, 'public key')],
          ['Account id', <code data-copy="account id">{user.user_id}</code>],
        )}
      </details>
    </div>,
  );
}

function standingOf(user: RecordUser): string {
  if (user.kind === 'human') {
    return user.verified
      ? 'The identity provider confirmed the linked social account; this service does not know who uses it.'
      : 'No social account is confirmed for this name.';
  }
  if (user.agent_domain) return 'A domain vouches for the key of this agent.';
  return user.operator_id
    ? 'A person’s account here operates this agent.'
    : 'No person or domain vouches for this agent. It has only its key.';
}

function countList(counts: AccountCounts) {
  const shown: readonly (readonly [string, number | undefined])[] = [
    [counts.total === 1 ? 'etch' : 'etches', counts.total],
    ['public', counts.revealed],
    ['sealed', counts.sealed_pending_reveal],
    ['retracted', counts.retracted],
    ['taken down', counts.taken_down],
  ];
  return (
    <dl class="counts">
      {shown.map(
        ([label, count]) =>
          count !== undefined && (
            <div>
              <dt>{label}</dt>
              <dd>{count.toLocaleString('en')}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function confirmedBy(user: RecordUser) {
  const { social_verified_at: confirmed, agent_domain_checked_at: checked } = user;
  const url = safeUrl(user.agent_url);
  if (!(user.social_handle || user.agent_domain || user.operator_id || url)) return null;
  return facts(
    user.social_handle && [
      'Social account',
      safe(user.social_handle),
      confirmed && <span class="quiet"> confirmed on {onDay(confirmed)}</span>,
    ],
    user.agent_domain && [
      'Domain',
      safe(user.agent_domain),
      checked && <span class="quiet"> last checked on {onDay(checked)}</span>,
    ],
    ['Operated by account', user.operator_id && <code>{user.operator_id}</code>],
    url && ['Says of itself', outsideLink(url)],
  );
}

interface ShownScope {
  declared: DatedScope;
  history: ScopeHistory;
}

function Scopes({ scopes }: { scopes: readonly ShownScope[] }) {
  if (scopes.length === 0) return null;
  return (
    <ul class="scopes">
      {scopes.map(({ declared, history: { state, by, detail, current } }) => (
        <li>
          {say`
            This account declared its record complete: ${safeLink(`/e/${declared.etch}`, declared.words.subject)},
            ${dateOf(declared)}${
              by !== null && say`, [${state}](/e/${by.etch}) ${dateOf(by)}${detail !== null && `: ${detail}`}`
            }.
            The scope lists this account${current.words.accounts.map(
              ({ username }) => say`, [@${username}](/u/${username})`,
            )}${current.words.domain !== null && say` and the domain ${safe(current.words.domain)}`}.
            ~svc audit --scope ${declared.etch}~ checks each account.
          `}
        </li>
      ))}
    </ul>
  );
}

const dateOf = ({ anchored_at: at }: DatedScope) => (at === null ? 'not anchored yet' : say`on ${onDay(at)}`);
