import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { checkDomain } from '../identity/domain-proof.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import { claimDueDomains, type DueDomain, writeDomainCheck } from './vouching-store.ts';

const DAY_MS = 86_400_000;
export const CHECKED_EACH_MS = 7 * DAY_MS;
const FAILED_DAYS = 30;
/** This is longer than any check; afterwards a different process may repeat it. */
const CLAIMED_MS = 10 * 60_000;
const AT_ONCE = 10;

export interface DomainChecksOptions {
  db: Db;
  clock: Clock;
  guard: GuardedOptions;
  log: { info(details: object, message: string): void };
}

export async function checkDueDomains(options: DomainChecksOptions): Promise<void> {
  const { db, clock } = options;
  for (;;) {
    const now = clock.now();
    const due = await claimDueDomains(db, AT_ONCE, toTime(now), toTime(now + CLAIMED_MS));
    if (due.length === 0) return;
    await Promise.all(due.map((one) => checkAgain(options, one)));
  }
}

async function checkAgain({ db, clock, guard, log }: DomainChecksOptions, due: DueDomain): Promise<void> {
  const problem = await problemOf(due, guard);
  const now = clock.now();
  if (problem === undefined) {
    const checkedAt = toTime(now);
    await writeDomainCheck(db, due, { checkedAt, nextAt: toTime(now + CHECKED_EACH_MS), failures: 0 });
    return;
  }
  const failures = due.failures + 1;
  // The first failure starts the first day.
  if (failures <= FAILED_DAYS) {
    await writeDomainCheck(db, due, { nextAt: toTime(now + DAY_MS), failures });
  } else if (await writeDomainCheck(db, due, 'ended')) {
    log.info(
      { account: due.id, domain: due.domain, reason: problem },
      'a domain no longer vouches for an agent',
    );
  }
}

async function problemOf(due: DueDomain, guard: GuardedOptions): Promise<string | undefined> {
  try {
    await checkDomain(due.domain, due.public_key, guard);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
