import type { ComponentChildren } from 'preact';
import { narrowPage } from '@svc/web/layout';
import { say } from '@svc/web/parts/prose';
import { Sign, SIGNS } from '@svc/web/parts/sign';
import { StatusDays } from '@svc/web/parts/status-days';
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { Page, Site } from '@svc/web/site';
import { atTime, Block, facts, fullHash } from '@svc/web/parts/values';
import { countText } from '@svc/web/format';
import type { Batch } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { leavesText, treePath } from './trees.tsx';
import type { StatusData } from '../../vitals/status-data.ts';
import { isDirty } from '../../settings/version.ts';
import { type ReadVitals, statusView } from '../../vitals/vitals.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { sendReturned, wantsJson } from './send.ts';
import { siteFor } from './site.ts';

/** Must answer without a database. */
export function mountStatusPage(app: FastifyInstance, deps: HttpDependencies, vitals: ReadVitals): void {
  void app.register(async (pages) => {
    sendReturned(pages);
    pages.get('/status', async (request) => {
      const data = statusView(await vitals(), deps.clock.now());
      return wantsJson(request) ? data : statusPage(siteFor(deps, request), data);
    });
  });
}

const STATES = {
  operational: {
    title: 'This service works',
    meaning: 'By its own checks, the service accepts, anchors and shows etches.',
    sign: SIGNS.pass,
    tone: 'revealed',
  },
  delayed: {
    title: 'Anchoring is late',
    meaning:
      'The service accepts and shows etches, but new ones reach the chain later than usual. Verification will prove the later time.',
    sign: SIGNS.wait,
    tone: 'pending',
  },
  unavailable: {
    title: 'A part of the service cannot be reached',
    meaning:
      'Accepted etches are stored, and anchored etches are on the chain. Receipts can be checked without this service.',
    sign: SIGNS.warn,
    tone: 'retracted',
  },
} as const;

const commitText = (commit: string): string =>
  `commit ${commit.slice(0, 12)}${isDirty(commit) ? ' with uncommitted changes' : ''}`;

const LATE_SECONDS = LATE_AFTER_MILLISECONDS / 1000;

const HEALTH = {
  ok: 'enough',
  low: 'running low: it must be funded soon',
  empty: 'none: nothing is anchored until it is funded',
  unknown: 'unknown: the chain cannot be read now',
} as const;

const unknown = () => <p>Unknown: the database cannot be read now.</p>;

export function statusPage(site: Site, data: StatusData): Page {
  const { parts, anchoring, last_batch: batch, days, witnesses, log, operator_acts: acts } = data;
  const { title, meaning, sign, tone } = STATES[data.status];
  const part = (heading: string, content: ComponentChildren) => (
    <>
      <h2>{heading}</h2>
      {content}
    </>
  );
  return narrowPage(
    site,
    {
      title: 'Status',
      top: 'Status',
      heading: title,
      lead: data.status === 'operational' && [<Sign d={sign} />, ' ', meaning],
      description: `${title}. Last anchored tree, what waits, and the relayer.`,
      canonical: `${site.baseUrl}/status`,
      alternates: [{ type: 'application/json', href: '/status' }],
      quiet: ['As of ', atTime(data.checked_at, 'seconds')],
      islands: ['times.js'],
      unlisted: true,
    },
    data.status !== 'operational' && (
      <section class={`standing ${tone}`}>
        <h2>
          <Sign d={sign} /> {meaning}
        </h2>
      </section>
    ),
    part(
      'Parts',
      facts(
        ...parts.map(
          ({ name, ok }) =>
            [
              name,
              ok ? [<Sign d={SIGNS.pass} />, ' works'] : [<Sign d={SIGNS.warn} />, ' does not work'],
            ] as const,
        ),
      ),
    ),
    days &&
      part('The last 30 days', <StatusDays days={days} lateSeconds={LATE_SECONDS} span={secondsText} />),
    part('Anchoring', anchoring ? anchoringFacts(anchoring) : unknown()),
    part('Last anchored tree', batch ? batchFacts(batch) : <p>There is none yet.</p>),
    witnesses &&
      witnesses.length > 0 &&
      part(
        'Witnesses of the log of trees',
        facts(...witnesses.map((one) => [one.name, witnessText(one)] as const)),
      ),
    log &&
      (log.held ?? log.index_held) !== null &&
      part(
        'Log of trees',
        [log.held, log.index_held].map((why) => why !== null && <p>{why}</p>),
      ),
    part('Relayer', relayerFacts(data.relayer)),
    part('What the operator did', acts ? actFacts(acts) : unknown()),
    <p class="quiet">
      {say`Version ${data.version}, ${data.commit ? `${commitText(data.commit)}, ` : ''}schema ${data.schema}.`}
    </p>,
    <details>
      <summary>This page as data</summary>
      <Block tabindex={0}>{`curl -H 'Accept: application/json' ${site.baseUrl}/status`}</Block>
    </details>,
  );
}

const anchoringFacts = (anchoring: NonNullable<StatusData['anchoring']>) => {
  const {
    pending,
    oldest_pending_seconds: oldest,
    confirming,
    failing_since: since,
    catching_up,
  } = anchoring;
  return facts(
    ['Waiting', countText(pending, 'etch or retraction', 'etches and retractions')],
    ['The oldest waits', oldest !== null && secondsText(oldest)],
    ['Pending', countText(anchoring.open_transactions, 'transaction')],
    ['In a block, to be confirmed', confirming && confirmingText(confirming)],
    ['Attempts fail since', since && atTime(since, 'seconds')],
    [
      'Catching up',
      catching_up &&
        'the chain is searched for attestations that the database does not know; etches wait for it',
    ],
  );
};

function witnessText({
  behind_seconds: behind,
  fault,
}: NonNullable<StatusData['witnesses']>[number]): string {
  const text = behind === 0 ? 'has cosigned every tree' : `is ${secondsText(behind)} behind`;
  return fault === null ? text : `${text}: ${fault}`;
}

function confirmingText({
  transactions,
  seen,
  needed,
}: NonNullable<NonNullable<StatusData['anchoring']>['confirming']>): string {
  const deep = seen === null ? '' : `, at least ${countText(seen, 'block')} deep`;
  const until = needed === 'safe' ? 'the chain calls its block safe' : `${needed} blocks deep`;
  return `${transactions}${deep}; final when ${until}`;
}

const ACTS = {
  suspend: 'Accounts suspended',
  restore: 'Accounts restored',
  revoke: 'Accounts whose keys and sessions were revoked',
  hide: 'Accounts kept out of the feed',
  unhide: 'Accounts let into the feed again',
  take_down: 'Texts taken down',
  take_down_description: 'Descriptions and questions taken down',
} as const;

/** Each act is one line of an append-only log. */
function actFacts(acts: Readonly<Record<string, number>>) {
  const done = Object.entries(ACTS).filter(([act]) => (acts[act] ?? 0) > 0);
  if (done.length === 0)
    return <p>By the operator’s own log, no account was suspended, and no text taken down.</p>;
  return facts(...done.map(([act, label]) => [label, acts[act]] as const));
}

const batchFacts = (batch: Batch) =>
  facts(
    ['Anchored', atTime(batch.anchored_at, 'seconds')],
    ['Contains', leavesText(batch)],
    ['Root', <a href={treePath(batch.root, batch.kind)}>{fullHash(batch.root)}</a>],
    ['Attestation', fullHash(batch.attestation_uid)],
  );

function relayerFacts({ address, health, balance, days_left: days, attested_before }: StatusData['relayer']) {
  return facts(
    ['Account', fullHash(address)],
    ['Funds', HEALTH[health]],
    ['Balance', balance !== null && `${amountText(balance)} in the chain’s native coin`],
    [
      'Lasts',
      days !== null &&
        `${days > TEN_YEARS ? 'more than 10 years' : countText(Math.floor(days), 'day')}, at the pace of the last week`,
    ],
    [
      'Warning',
      attested_before &&
        'It attested here before this database began. Etches of that time are not in this service.',
    ],
  );
}

const TEN_YEARS = 3_653;

/** Rounded down to two decimals. */
function amountText(decimal: string): string {
  const amount = Number(decimal);
  if (amount > 0 && amount < 0.01) return 'less than 0.01';
  return (Math.floor(amount * 100) / 100).toLocaleString('en', { maximumFractionDigits: 2 });
}

function secondsText(seconds: number): string {
  if (seconds < 120) return countText(Math.round(seconds), 'second');
  if (seconds < 7_200) return countText(Math.round(seconds / 60), 'minute');
  return countText(Math.round(seconds / 3_600), 'hour');
}
