import { type AnchoringStatus, type Batch, listBatches, type Spend } from '../anchoring/index.ts';
import type { Db } from '../db/db.ts';
import type { WitnessHealth } from '../proofs/log/checkpoints.ts';
import { type Counts, readCounts } from './store.ts';

interface Part {
  name: string;
  ok: boolean;
}

interface Confirming {
  transactions: number;
  /** blocks from the newest transaction to the head, both counted */
  seen: number | null;
  /** `safe`: the chain's tag decides */
  needed: number | 'safe';
}

/** An unreadable value is null. */
export interface Vitals {
  parts: Part[];
  anchoring: AnchoringStatus | null;
  confirming: Confirming | null;
  lastBatch: Batch | null;
  counts: Counts | null;
  witnesses: readonly WitnessHealth[] | null;
  /** of the log of trees: why it signs no checkpoint, or none past some tree */
  log: { held: string | null } | null;
  relayer: {
    address: string;
    balance: bigint | null;
    spend: Spend | null;
    daysLeft: number | null;
  };
}

interface VitalsSource {
  db: Db;
  relayer: string;
  parts: () => Promise<Part[]>;
  anchoring: () => Promise<AnchoringStatus>;
  confirmations: number | 'safe';
  head: () => Promise<number>;
  balance: () => Promise<bigint>;
  witnesses: () => Promise<WitnessHealth[]>;
  heldLog: () => Promise<string | null>;
  spend: () => Promise<Spend>;
}

/** Any client may read the status, and a provider may charge for requests. */
const STATUS_MS = 2_000;
const COUNTS_MS = 30_000;
const BALANCE_MS = 30_000;
/** The count is slow, but the first value must appear soon. */
const SPEND_MS = 300_000;
const NO_SPEND_MS = 5_000;

export type ReadVitals = () => Promise<Vitals>;

export function createVitals({ db, relayer, ...source }: VitalsSource): ReadVitals {
  const parts = cached(STATUS_MS, source.parts);
  const anchoring = orNull(cached(STATUS_MS, source.anchoring));
  const lastBatch = orNull(cached(STATUS_MS, async () => (await listBatches(db, { limit: 1 }))[0] ?? null));
  const counts = orNull(cached(COUNTS_MS, () => readCounts(db)));
  const head = orNull(cached(STATUS_MS, source.head));
  const witnesses = orNull(cached(STATUS_MS, source.witnesses));
  const log = orNull(cached(STATUS_MS, async () => ({ held: await source.heldLog() })));
  const balance = orNull(cached(BALANCE_MS, source.balance));
  const spend = inBackground((last) => (last.perDay === 0n ? NO_SPEND_MS : SPEND_MS), source.spend);
  return async () => {
    const [known, status, batch, counted, cosigned, held, money] = await Promise.all([
      parts(),
      anchoring(),
      lastBatch(),
      counts(),
      witnesses(),
      log(),
      balance(),
    ]);
    const spent = spend();
    const confirming = await confirmingOf(status, source.confirmations, head);
    return {
      parts: known,
      anchoring: status,
      confirming,
      lastBatch: batch,
      counts: counted,
      witnesses: cosigned,
      log: held,
      relayer: { address: relayer, balance: money, spend: spent, daysLeft: daysLeft(money, spent?.perDay) },
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

/** A failure is not cached. */
function cached<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > milliseconds) {
      const current = { at: performance.now(), answer: read() };
      last = current;
      current.answer.catch(() => {
        if (last === current) last = undefined;
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
