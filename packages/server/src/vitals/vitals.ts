// The figures of the status page, /readyz and the metrics, read at most every few seconds.
import { LATE_AFTER_MILLISECONDS } from '@svc/verifier';
import type { StatusData } from './status-data.ts';
import { type AnchoringStatus, type Batch, listBatches, type Spend } from '../anchoring/index.ts';
import type { Db } from '../db/db.ts';
import type { WitnessHealth } from '../proofs/log/checkpoints.ts';
import { type Counts, readCounts, readDays } from './store.ts';
import { toTime } from '../db/clock.ts';
import { BUILD } from '../settings/version.ts';

type Confirming = NonNullable<NonNullable<StatusData['anchoring']>['confirming']>;

/** An unreadable value is null. */
export interface Vitals {
  parts: StatusData['parts'];
  anchoring: AnchoringStatus | null;
  confirming: Confirming | null;
  lastBatch: Batch | null;
  days: StatusData['days'];
  counts: Counts | null;
  witnesses: readonly WitnessHealth[] | null;
  log: StatusData['log'];
  relayer: {
    address: string;
    balance: bigint | null;
    spend: Spend | null;
    daysLeft: number | null;
  };
}

interface VitalsSource {
  db: Db;
  now: () => number;
  relayer: string;
  parts: () => Promise<StatusData['parts']>;
  anchoring: () => Promise<AnchoringStatus>;
  confirmations: number | 'safe';
  head: () => Promise<number>;
  balance: () => Promise<bigint>;
  witnesses: () => Promise<WitnessHealth[]>;
  log: () => Promise<NonNullable<StatusData['log']>>;
  spend: () => Promise<Spend>;
}

/** Any client may read the status, and a provider may charge for requests. */
const STATUS_MS = 2_000;
const COUNTS_MS = 30_000;
const BALANCE_MS = 30_000;
const DAYS_MS = 60_000;
const DAYS = 30;
/** The count is slow, but the first value must appear soon. */
const SPEND_MS = 300_000;
const NO_SPEND_MS = 5_000;

export type ReadVitals = () => Promise<Vitals>;

export function createVitals({ db, now, relayer, confirmations, ...source }: VitalsSource): ReadVitals {
  const readAnchoring = orNull(cached(STATUS_MS, source.anchoring));
  const readBatch = orNull(cached(STATUS_MS, async () => (await listBatches(db, { limit: 1 }))[0] ?? null));
  const readAllDays = orNull(cached(DAYS_MS, () => readDays(db, DAYS, now())));
  const readAllCounts = orNull(cached(COUNTS_MS, () => readCounts(db)));
  const readWitnesses = orNull(cached(STATUS_MS, source.witnesses));
  const readLog = orNull(cached(STATUS_MS, source.log));
  const readParts = cached(STATUS_MS, source.parts);
  const readHead = orNull(cached(STATUS_MS, source.head));
  const readBalance = orNull(cached(BALANCE_MS, source.balance));
  const readSpend = inBackground((last) => (last.perDay === 0n ? NO_SPEND_MS : SPEND_MS), source.spend);
  return async () => {
    const [parts, anchoring, lastBatch, days, counts, witnesses, log, balance] = await Promise.all([
      readParts(),
      readAnchoring(),
      readBatch(),
      readAllDays(),
      readAllCounts(),
      readWitnesses(),
      readLog(),
      readBalance(),
    ]);
    const spend = readSpend();
    const confirming = await confirmingOf(anchoring, confirmations, readHead);
    const lasts = daysLeft(balance, spend?.perDay);
    return {
      parts,
      anchoring,
      confirming,
      lastBatch,
      days,
      counts,
      witnesses,
      log,
      relayer: { address: relayer, balance, spend, daysLeft: lasts },
    };
  };
}

async function confirmingOf(
  status: AnchoringStatus | null,
  needed: Confirming['needed'],
  head: () => Promise<number | null>,
): Promise<Confirming | null> {
  if (!status || status.minedIn === null) return null;
  const newest = await head();
  // The head is older than the block that anchoring read.
  const seen = newest === null || newest < status.minedIn ? null : newest - status.minedIn + 1;
  return { transactions: status.minedTransactions, seen, needed };
}

const orNull =
  <T>(ask: () => Promise<T>) =>
  (): Promise<T | null> =>
    ask().catch(() => null);

/** A failure is not cached, unless `keepsFailures`. */
export function cached<T>(
  milliseconds: number,
  read: () => Promise<T>,
  keepsFailures = false,
): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const current = { at: performance.now(), answer: read() };
      last = current;
      current.answer.catch(() => {
        if (last === current && !keepsFailures) last = undefined;
      });
    }
    return last.answer;
  };
}

/** Returns the last result at once (null before the first) and refreshes an old one in the background. */
function inBackground<T>(oldAfter: (last: T) => number, read: () => Promise<T>): () => T | null {
  let last: { at: number; answer: T } | undefined;
  let isReading = false;
  return () => {
    if (!isReading && (!last || performance.now() - last.at > oldAfter(last.answer))) {
      isReading = true;
      read()
        .then((answer) => (last = { at: performance.now(), answer }))
        .catch(() => undefined)
        .finally(() => (isReading = false));
    }
    return last?.answer ?? null;
  };
}

export function daysLeft(balance: bigint | null, perDay: bigint | undefined): number | null {
  if (balance === null || !perDay) return null;
  return Number((balance * 1000n) / perDay) / 1000;
}

const LOW_DAYS = 7;
/** If other parts fail, the service is late, but works. */
const VITAL = new Set(['database', 'clock']);

/** Shows no reasons, which may contain a provider's words. */
export function statusView(
  { parts, anchoring, confirming, lastBatch, days, relayer, counts, witnesses, log }: Vitals,
  now: number,
): StatusData {
  const down = parts.filter(({ ok }) => !ok).map(({ name }) => name);
  const health = relayerHealth(relayer);
  // The attestation could no longer confirm the stated time.
  const late =
    anchoring !== null &&
    (anchoring.failingSince !== null ||
      (anchoring.oldestPendingSeconds ?? 0) * 1000 > LATE_AFTER_MILLISECONDS);
  const unavailable = anchoring === null || down.some((name) => VITAL.has(name));
  return {
    status: unavailable
      ? 'unavailable'
      : late || down.includes('chain') || health === 'empty'
        ? 'delayed'
        : 'operational',
    ...BUILD,
    checked_at: toTime(now),
    parts,
    anchoring: anchoring && {
      pending: anchoring.pending,
      oldest_pending_seconds:
        anchoring.oldestPendingSeconds === null ? null : Math.round(anchoring.oldestPendingSeconds),
      open_transactions: anchoring.openTransactions,
      confirming,
      failing_since: anchoring.failingSince,
      catching_up: anchoring.catchingUp,
    },
    last_batch: lastBatch && withoutId(lastBatch),
    days,
    witnesses:
      witnesses &&
      witnesses.map(({ name, behindSeconds, fault }) => ({
        name,
        behind_seconds: Math.floor(behindSeconds),
        fault,
      })),
    log,
    operator_acts: counts && counts.operatorActs,
    relayer: {
      address: relayer.address,
      health,
      balance: relayer.balance === null ? null : coinText(relayer.balance),
      attested_before: counts && counts.attestedBefore,
      days_left: relayer.daysLeft === null ? null : Math.floor(relayer.daysLeft),
    },
  };
}

const withoutId = ({ id: _, ...batch }: Batch): Omit<Batch, 'id'> => batch;

function relayerHealth({ balance, daysLeft }: Vitals['relayer']): StatusData['relayer']['health'] {
  if (balance === null) return 'unknown';
  if (balance === 0n) return 'empty';
  return daysLeft !== null && daysLeft < LOW_DAYS ? 'low' : 'ok';
}

function coinText(wei: bigint): string {
  const digits = (wei / 10n ** 12n).toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
