import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { RateLimited } from '../errors/failure.ts';
import { createSlots, type Slots } from '../flow/slots.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  findFingerprints,
  findLeftFingerprints,
  forgetGuesses,
  insertGuess,
  lockGuesses,
  replaceFingerprint,
} from './guess-store.ts';
import { harden, isHard, verifyHard } from './hard-fingerprint.ts';
import { type BoundKey, FAST_GUESSES, type KeyedRequest, keyName, KeyUsed } from './idempotency.ts';

const HOUR_MS = 3_600_000;

/** A wrong guess above the hourly limit blocks further comparisons under its key for this long. */
const PAUSE_MS = 1_000;

interface Tools {
  db: Db;
  clock: Clock;
  keyring: Keyring;
}

/** Runs the comparisons under one key one after the other. Deleted when none waits. */
interface Line {
  slots: Slots;
  waiting: number;
  /** comparisons under way, by request, so that identical requests share one */
  under: Map<string, Promise<void>>;
}
const lines = new Map<string, Line>();

/**
 * Resolves when the request is the one that used the key of this sealed or retracted etch.
 * @throws KeyUsed when it is another request; RateLimited when more than ten others came within the hour
 */
export async function compareHidden(tools: Tools, keyed: KeyedRequest, bound: BoundKey): Promise<void> {
  const name = keyName(bound.user_id, bound.key);
  const line: Line = lines.get(name) ?? {
    slots: createSlots({
      slots: 1,
      queue: 64,
      patience: 30_000,
      what: 'different requests under this Idempotency-Key',
    }),
    waiting: 0,
    under: new Map(),
  };
  lines.set(name, line);
  line.waiting++;
  try {
    let one = line.under.get(keyed.request);
    if (!one) {
      one = line.slots
        .run(() => compare(tools, keyed, bound))
        .finally(() => line.under.delete(keyed.request));
      line.under.set(keyed.request, one);
    }
    await one;
  } finally {
    if (--line.waiting === 0) lines.delete(name);
  }
}

async function compare({ db, clock, keyring }: Tools, keyed: KeyedRequest, bound: BoundKey): Promise<void> {
  // The stored fingerprint may have been hardened since it was read. The old one gives the same result.
  const { fingerprint } = bound;
  const isSame = isHard(fingerprint)
    ? await verifyHard(keyring, keyed.request, fingerprint)
    : keyring.verifyMac('fingerprint', keyed.request, fingerprint);
  if (isSame) return;
  const now = clock.now();
  const seconds = await countGuess(db, bound, now);
  if (seconds === undefined) throw new KeyUsed(bound);
  await sleep(PAUSE_MS);
  throw new RateLimited(
    'too many different requests under this Idempotency-Key: send a new key',
    FAST_GUESSES,
    seconds,
  );
}

/** Called after the comparison, so that only different requests count. @returns seconds until the next guess, when over the limit */
async function countGuess(db: Db, bound: BoundKey, now: number): Promise<number | undefined> {
  return db.tx(async (tx) => {
    const guesses = await lockGuesses(tx, bound, toTime(now - HOUR_MS));
    if (guesses.length >= FAST_GUESSES) {
      return Math.max(1, Math.ceil((Date.parse(guesses[0]!) + HOUR_MS - now) / 1000));
    }
    await insertGuess(tx, bound, toTime(now));
    return undefined;
  });
}

/** Makes guessing an erased text from its fingerprint expensive. Runs in the transaction that erases the text. */
export async function hardenFingerprints(db: Queryable, userId: string, etchId: string): Promise<void> {
  for (const found of await findFingerprints(db, userId, etchId)) {
    await replaceFingerprint(db, found, await harden(found.fingerprint));
  }
}

const AT_ONCE = 50;

/** Hardens the fingerprints of texts that were erased earlier, and deletes old guesses. */
export async function tidyGuesses(db: Queryable, now: number): Promise<void> {
  await forgetGuesses(db, toTime(now - HOUR_MS));
  for (;;) {
    const left = await findLeftFingerprints(db, AT_ONCE);
    for (const found of left) await replaceFingerprint(db, found, await harden(found.fingerprint));
    if (left.length < AT_ONCE) return;
  }
}
