import type { Batch } from '@svc/contract';
import { Narrow, renderPage } from '../layout.tsx';
import { Sign, SIGNS } from '../parts/sign.tsx';
import type { Page, Site } from '../site.ts';
import { leavesText, treePath } from './trees.tsx';
import { Fact, Facts, Hash, Time } from '../parts/values.tsx';
import { countText } from '../format.ts';

interface Confirming {
  transactions: number;
  /** null: the chain did not answer */
  seen: number | null;
  needed: number | 'safe';
}

export interface StatusData {
  status: 'operational' | 'delayed' | 'unavailable';
  version: string;
  commit: string | null;
  schema: number;
  checked_at: string;
  parts: readonly { name: string; ok: boolean }[];
  anchoring: {
    pending: number;
    oldest_pending_seconds: number | null;
    open_transactions: number;
    confirming: Confirming | null;
    failing_since: string | null;
  } | null;
  last_batch: Batch | null;
  /** of the log of trees; null while the database does not answer */
  witnesses: readonly { name: string; behind_seconds: number; fault: string | null }[] | null;
  log: { held: string | null } | null;
  operator_acts: Readonly<Record<string, number>> | null;
  relayer: {
    address: string;
    health: 'ok' | 'low' | 'empty' | 'unknown';
    /** in whole coins of the chain */
    balance: string | null;
    days_left: number | null;
    /** whether it attested before this database began; null while the database does not answer */
    attested_before: boolean | null;
  };
}

const TITLES = {
  operational: 'Everything works',
  delayed: 'Anchoring is late',
  unavailable: 'A part of the service cannot be reached',
} as const;

const MEANINGS = {
  operational: 'The service accepts, anchors and shows etches.',
  delayed:
    'The service accepts and shows etches, but new ones reach the chain later than usual. Nothing is lost; verification will prove the later time.',
  unavailable:
    'Accepted etches are stored, and anchored etches are on the chain. Receipts can be checked without this service.',
} as const;

const SIGN_OF = { operational: SIGNS.pass, delayed: SIGNS.wait, unavailable: SIGNS.warn } as const;
const TONE_OF = { operational: 'revealed', delayed: 'pending', unavailable: 'retracted' } as const;

const HEALTH = {
  ok: 'enough',
  low: 'running low: it must be funded soon',
  empty: 'none: nothing is anchored until it is funded',
  unknown: 'unknown: the chain cannot be asked now',
} as const;

export function statusPage(site: Site, data: StatusData): Page {
  const { status, parts, anchoring, last_batch: batch, witnesses, log } = data;
  return renderPage(
    site,
    {
      title: 'Status',
      description: `${TITLES[status]}. Last anchored tree, what waits, and the relayer.`,
      canonical: `${site.baseUrl}/status`,
      alternates: [{ type: 'application/json', href: '/status' }],
      islands: ['times.js'],
      unlisted: true,
    },
    <Narrow top="Status" heading={TITLES[status]}>
      <section class={`standing ${TONE_OF[status]}`}>
        <h2>
          <Sign d={SIGN_OF[status]} /> {MEANINGS[status]}
        </h2>
      </section>
      <h2>Parts</h2>
      <Facts>
        {parts.map(({ name, ok }) => (
          <Fact label={name} value={ok ? 'works' : 'does not work'} />
        ))}
      </Facts>
      <h2>Anchoring</h2>
      {anchoring ? <Anchoring anchoring={anchoring} /> : <p>Unknown: the database cannot be asked now.</p>}
      <h2>Last anchored tree</h2>
      {batch ? <LastBatch batch={batch} /> : <p>There is none yet.</p>}
      {witnesses && witnesses.length > 0 && (
        <>
          <h2>Witnesses of the log of trees</h2>
          <Facts>
            {witnesses.map((one) => (
              <Fact label={one.name} value={witnessText(one)} />
            ))}
          </Facts>
        </>
      )}
      {log && log.held !== null && (
        <>
          <h2>Log of trees</h2>
          <p>{log.held}</p>
        </>
      )}
      <h2>Relayer</h2>
      <Relayer relayer={data.relayer} />
      <h2>What the operator did</h2>
      {data.operator_acts ? (
        <OperatorActs acts={data.operator_acts} />
      ) : (
        <p>Unknown: the database cannot be asked now.</p>
      )}
      <p class="quiet">
        Version {data.version}, {data.commit ? `commit ${data.commit.slice(0, 12)}, ` : ''}schema{' '}
        {data.schema}, as of <Time at={data.checked_at} precision="seconds" />. The same as data:{' '}
        <code>curl -H 'Accept: application/json' {site.baseUrl}/status</code>
      </p>
    </Narrow>,
  );
}

function Anchoring({ anchoring }: { anchoring: NonNullable<StatusData['anchoring']> }) {
  const {
    pending,
    oldest_pending_seconds: oldest,
    open_transactions: open,
    confirming,
    failing_since: since,
  } = anchoring;
  return (
    <Facts>
      <Fact label="Waiting">
        {pending === 0 ? 'nothing' : countText(pending, 'etch or retraction', 'etches and retractions')}
      </Fact>
      <Fact label="The oldest waits" value={oldest !== null && secondsText(oldest)} />
      <Fact label="Pending transactions" value={open} />
      <Fact label="In a block, to be confirmed" value={confirming && confirmingText(confirming)} />
      <Fact label="Attempts fail since" value={since !== null && <Time at={since} precision="seconds" />} />
    </Facts>
  );
}

function witnessText({
  behind_seconds: behind,
  fault,
}: NonNullable<StatusData['witnesses']>[number]): string {
  const text = behind === 0 ? 'has cosigned every tree' : `is ${secondsText(behind)} behind`;
  return fault === null ? text : `${text}: ${fault}`;
}

function confirmingText({ transactions, seen, needed }: Confirming): string {
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
function OperatorActs({ acts }: { acts: Readonly<Record<string, number>> }) {
  const done = Object.entries(ACTS).filter(([act]) => (acts[act] ?? 0) > 0);
  if (done.length === 0) return <p>Nothing: no account was suspended, and no text taken down.</p>;
  return (
    <Facts>
      {done.map(([act, label]) => (
        <Fact label={label} value={acts[act]} />
      ))}
    </Facts>
  );
}

function LastBatch({ batch }: { batch: Batch }) {
  return (
    <Facts>
      <Fact label="Anchored" value={<Time at={batch.anchored_at} precision="seconds" />} />
      <Fact label="Contains" value={leavesText(batch)} />
      <Fact label="Root">
        <a href={treePath(batch.root, batch.kind)}>
          <Hash value={batch.root} />
        </a>
      </Fact>
      <Fact label="Attestation" value={<Hash value={batch.attestation_uid} />} />
    </Facts>
  );
}

function Relayer({ relayer }: { relayer: StatusData['relayer'] }) {
  const { address, health, balance, days_left: days, attested_before: before } = relayer;
  return (
    <Facts>
      <Fact label="Account" value={<Hash value={address} />} />
      <Fact label="Funds" value={HEALTH[health]} />
      <Fact label="Balance" value={balance !== null && `${grouped(balance)} of the chain’s own coin`} />
      {days !== null && (
        <Fact label="Lasts, at the pace of the last week">{countText(Math.floor(days), 'day')}</Fact>
      )}
      {before === true && (
        <Fact label="Warning">
          {'It attested here before this database began. Etches of that time are not in this service.'}
        </Fact>
      )}
    </Facts>
  );
}

function grouped(decimal: string): string {
  const [whole = '', part] = decimal.split('.');
  return [BigInt(whole).toLocaleString('en'), part].join('.');
}

function secondsText(seconds: number): string {
  if (seconds < 120) return countText(Math.round(seconds), 'second');
  if (seconds < 7_200) return countText(Math.round(seconds / 60), 'minute');
  return countText(Math.round(seconds / 3_600), 'hour');
}
