// Answers under an Idempotency-Key could confirm guesses of a hidden or erased text. This file makes each guess slow
// and counts them.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import sql from 'sql-template-tag';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { RateLimited } from '../platform/failure.ts';
import { singleFlight } from '../platform/flow/coalesce.ts';
import { createSlots, type Slots } from '../platform/flow/slots.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import {
  type BoundKey,
  FAST_GUESSES,
  HOUR_MS,
  type KeyedRequest,
  keyName,
  KeyUsed,
} from './idempotency-store.ts';

/**
 * Protects erased texts with salted scrypt (RFC 7914) of the fast fingerprint: each guess costs 32 MiB and some 100
 * ms, even with SECRET_KEYS.
 * Format: 1 byte version, 16 bytes salt, 32 bytes hash.
 */
const VERSION = 1;
const SALT = 16;
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const isHard = (fingerprint: Uint8Array): boolean =>
  fingerprint.length === 1 + SALT + 32 && fingerprint[0] === VERSION;

/**
 * Accounts share each slot fairly, and a retraction waits for no replay. Two slots use 64 MiB and leave libuv's other
 * threads to files and DNS.
 */
const SLOT = { slots: 1, queue: 256, patience: 30_000 };
const comparing = createSlots({ ...SLOT, what: 'requests about erased texts' });
const hardening = createSlots({ ...SLOT, what: 'retractions' });

function harden({ user_id, fingerprint }: StoredFingerprint): Promise<Buffer> {
  const salt = randomBytes(SALT);
  return hardening.run(
    async () => Buffer.concat([Buffer.from([VERSION]), salt, await slow(fingerprint, salt)]),
    user_id,
  );
}

async function verifyHard(
  keyring: Keyring,
  { userId, request }: KeyedRequest,
  hard: Uint8Array,
): Promise<boolean> {
  const salt = hard.subarray(1, 1 + SALT);
  const made = await Promise.all(
    keyring
      .macs('fingerprint', request)
      .map((fingerprint) => comparing.run(() => slow(fingerprint, salt), userId)),
  );
  return made.some((one) => timingSafeEqual(one, hard.subarray(1 + SALT)));
}

const slow = (fingerprint: Uint8Array, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(fingerprint, salt, 32, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );

const PAUSE_MS = 1_000;

interface Tools {
  db: Db;
  clock: Clock;
  keyring: Keyring;
  /** counts a slow comparison of this account */
  countReplay: CountReplay;
}

/** @throws RateLimited */
export type CountReplay = (userId: string) => Promise<unknown>;

interface Comparisons {
  slots: Slots;
  waiting: number;
  /** Identical requests share one comparison. */
  once: (request: string, work: () => Promise<void>) => Promise<void>;
}
const comparisons = new Map<string, Comparisons>();

/** @throws KeyUsed; RateLimited above ten others an hour */
export async function compareHidden(tools: Tools, keyed: KeyedRequest, bound: BoundKey): Promise<void> {
  const name = keyName(bound.user_id, bound.key);
  const mine: Comparisons = comparisons.get(name) ?? {
    slots: createSlots({
      slots: 1,
      queue: 64,
      patience: 30_000,
      what: 'different requests under this Idempotency-Key',
    }),
    waiting: 0,
    once: singleFlight(),
  };
  comparisons.set(name, mine);
  mine.waiting++;
  try {
    await mine.once(keyed.request, () => mine.slots.run(() => compare(tools, keyed, bound), keyed.userId));
  } finally {
    if (--mine.waiting === 0) comparisons.delete(name);
  }
}

async function compare(
  { db, clock, keyring, countReplay }: Tools,
  keyed: KeyedRequest,
  bound: BoundKey,
): Promise<void> {
  // The fingerprint may have been hardened since; the result is the same.
  const { fingerprint } = bound;
  if (isHard(fingerprint)) {
    await countReplay(bound.user_id);
    if (await verifyHard(keyring, keyed, fingerprint)) return;
  } else if (keyring.verifyMac('fingerprint', keyed.request, fingerprint)) return;
  const now = clock.now();
  const seconds = await countGuess(db, bound, now);
  if (seconds === undefined) throw new KeyUsed(bound);
  await sleep(PAUSE_MS);
  throw new RateLimited(
    'too many different requests under this Idempotency-Key. A retry must send exactly the same fields and times',
    FAST_GUESSES,
    seconds,
  );
}

/**
 * Runs after the comparison, so that only different requests count.
 * @returns seconds until the next guess, or undefined if this one is allowed
 */
async function countGuess(db: Db, { user_id, key }: BoundKey, now: number): Promise<number | undefined> {
  return db.tx(async (tx) => {
    await tx.query(sql`select from idempotency where user_id = ${user_id} and key = ${key} for update`);
    const guesses = await tx.column<string>(sql`
      select tried_at from idempotency_guess
      where user_id = ${user_id} and key = ${key} and tried_at > ${toTime(now - HOUR_MS)} order by tried_at`);
    if (guesses.length >= FAST_GUESSES) {
      return Math.max(1, Math.ceil((Date.parse(guesses[0]!) + HOUR_MS - now) / 1000));
    }
    await tx.query(
      sql`insert into idempotency_guess (user_id, key, tried_at) values (${user_id}, ${key}, ${toTime(now)})`,
    );
    return undefined;
  });
}

type StoredFingerprint = Pick<BoundKey, 'user_id' | 'key' | 'fingerprint'>;

/** Slow fingerprints, which replace the fast ones in the transaction that erases the text. */
export type HardFingerprints = readonly (StoredFingerprint & { hard: Buffer })[];

/**
 * Runs before that transaction, because each fingerprint waits for its slot. A key is bound only when its etch is
 * created, so none is missed.
 * @param owner hardens nothing of other accounts' etches
 */
export async function hardenFingerprints(
  db: Queryable,
  etchId: string,
  owner?: string,
): Promise<HardFingerprints> {
  const found = await db.query<StoredFingerprint>(sql`
    select i.user_id, i.key, i.fingerprint from etch e
    join idempotency i on i.user_id = e.user_id and i.record_id = e.id
    where e.id = ${etchId} and e.user_id = coalesce(${owner}::uuid, e.user_id) and octet_length(i.fingerprint) = 32`);
  return Promise.all(found.map(async (one) => ({ ...one, hard: await harden(one) })));
}

export async function storeHardFingerprints(db: Queryable, hardened: HardFingerprints): Promise<void> {
  for (const { user_id, key, fingerprint, hard } of hardened)
    await db.query(sql`
      update idempotency set fingerprint = ${hard}
      where user_id = ${user_id} and key = ${key} and fingerprint = ${fingerprint}`);
}

const AT_ONCE = 50;

export async function tidyGuesses(db: Queryable, now: number): Promise<void> {
  await db.query(sql`delete from idempotency_guess where tried_at < ${toTime(now - HOUR_MS)}`);
  for (;;) {
    const left = await db.query<StoredFingerprint>(sql`
      select i.user_id, i.key, i.fingerprint from etch e
      join idempotency i on i.user_id = e.user_id and i.record_id = e.id
      where e.retracted_at is not null and octet_length(i.fingerprint) = 32 limit ${AT_ONCE}`);
    for (const one of left) await storeHardFingerprints(db, [{ ...one, hard: await harden(one) }]);
    if (left.length < AT_ONCE) return;
  }
}
