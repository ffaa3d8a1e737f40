import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { RateLimited } from '../errors/failure.ts';
import type { Keyring } from '../secrets/keyring.ts';
import {
  findFingerprints,
  findLeftFingerprints,
  forgetGuesses,
  insertGuess,
  lockGuesses,
  replaceFingerprint,
  takeBackGuess,
} from './guess-store.ts';
import { harden, isHard, whichHard } from './hard-fingerprint.ts';
import { type BoundKey, GUESSES_COMPARED, type KeyedRequest, KeyUsed } from './idempotency.ts';

const HOUR_MS = 3_600_000;

/**
 * Is this the request that the key of a sealed or retracted etch stands for? Answers by which of SECRET_KEYS.
 * @throws KeyUsed when it is another one; RateLimited when too many others came, and then nothing is compared
 */
export async function compareHidden(
  { db, clock, keyring }: { db: Db; clock: Clock; keyring: Keyring },
  keyed: KeyedRequest,
  bound: BoundKey,
): Promise<number> {
  const now = clock.now();
  const at = toTime(now);
  // Counted before it is compared, so that guesses at the same moment are counted too.
  const fingerprint = await db.tx(async (tx) => {
    const found = await lockGuesses(tx, bound, toTime(now - HOUR_MS));
    if (found.guesses.length >= GUESSES_COMPARED) {
      const seconds = Math.max(1, Math.ceil((Date.parse(found.guesses[0]!) + HOUR_MS - now) / 1000));
      throw new RateLimited(
        'too many different requests under this Idempotency-Key: send a new key, or this request again later',
        GUESSES_COMPARED,
        seconds,
      );
    }
    await insertGuess(tx, bound, at);
    return found.fingerprint;
  });
  const which = isHard(fingerprint)
    ? await whichHard(keyring, keyed.request, fingerprint)
    : keyring.whichMac('fingerprint', keyed.request, fingerprint);
  if (which < 0) throw new KeyUsed(bound);
  await takeBackGuess(db, bound, at);
  return which;
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
