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
import { type BoundKey, GUESSES_TOLD, type KeyedRequest, keyName, KeyUsed } from './idempotency.ts';

const HOUR_MS = 3_600_000;

/** After a wrong guess beyond those of the hour, nothing is compared under its key for so long. */
const PAUSE_MS = 1_000;

interface Tools {
  db: Db;
  clock: Clock;
  keyring: Keyring;
}

/** Comparisons under one key, one after the other; gone when nobody waits. */
interface Line {
  slots: Slots;
  waiting: number;
  /** one request sent many times at once is compared once */
  under: Map<string, Promise<void>>;
}
const lines = new Map<string, Line>();

/**
 * Resolves when this is the request that the key of a sealed or retracted etch was used for, however many others came.
 * @throws KeyUsed when it is another one; RateLimited when more than ten others came within the hour
 */
export async function compareHidden(tools: Tools, keyed: KeyedRequest, bound: BoundKey): Promise<void> {
  const name = keyName(bound.user_id, bound.key);
  const line: Line = lines.get(name) ?? {
    slots: createSlots({
      places: 1,
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
  // The key may have been hardened since it was looked up: then the old fingerprint still tells the same.
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
    GUESSES_TOLD,
    seconds,
  );
}

/** Counted after it was compared, so that only what differs counts. Answers after how many seconds one more is told, if this is not. */
async function countGuess(db: Db, bound: BoundKey, now: number): Promise<number | undefined> {
  return db.tx(async (tx) => {
    const guesses = await lockGuesses(tx, bound, toTime(now - HOUR_MS));
    if (guesses.length >= GUESSES_TOLD) {
      return Math.max(1, Math.ceil((Date.parse(guesses[0]!) + HOUR_MS - now) / 1000));
    }
    await insertGuess(tx, bound, toTime(now));
    return undefined;
  });
}

/** Replaces what confirms a guess of an erased text at no cost, in the transaction that erases it. */
export async function hardenFingerprints(db: Queryable, userId: string, etchId: string): Promise<void> {
  for (const found of await findFingerprints(db, userId, etchId)) {
    await replaceFingerprint(db, found, await harden(found.fingerprint));
  }
}

const AT_ONCE = 50;

/** The same for texts erased before, and forgets what was guessed long ago. */
export async function tidyGuesses(db: Queryable, now: number): Promise<void> {
  await forgetGuesses(db, toTime(now - HOUR_MS));
  for (;;) {
    const left = await findLeftFingerprints(db, AT_ONCE);
    for (const found of left) await replaceFingerprint(db, found, await harden(found.fingerprint));
    if (left.length < AT_ONCE) return;
  }
}
