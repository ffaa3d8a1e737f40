import { operatorSignedString } from '@svc/protocol';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import { checkDomain, proveKey, type SignedRequest } from '../identity/signed-request.ts';
import { type GuardedOptions, readDomain } from '../platform/outgoing/guarded-request.ts';
import { type AccountRow, findAccount, findAccountByPublicKey, useSignature } from './store.ts';
import {
  claimDueDomains,
  type DueDomain,
  setDomain,
  setOperator,
  writeDomainCheck,
} from './vouching-store.ts';

const DAY_MS = 86_400_000;
const CHECKED_EACH_MS = 7 * DAY_MS;
const FAILED_DAYS = 30;
/** This is longer than any check; afterwards a different process may repeat it. */
const CLAIMED_MS = 10 * 60_000;
const AT_ONCE = 10;

interface DomainChecksOptions {
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

export interface DomainChecks {
  db: Db;
  clock: Clock;
  guard: GuardedOptions;
  count: (domain: string) => Promise<unknown>;
}

export async function claimDomain({ db, clock, guard, count }: DomainChecks, caller: Caller, text: string) {
  const publicKey = agentKeyOf(caller);
  const domain = readDomain(text);
  // The check runs outside of transactions.
  await count(domain);
  await checkDomain(domain, publicKey, guard);
  const now = clock.now();
  const [checkedAt, nextAt] = [toTime(now), toTime(now + CHECKED_EACH_MS)];
  await setDomain(db, caller.userId, { name: domain, checkedAt, nextAt });
  return (await findAccount(db, caller.userId))!;
}

export async function dropDomain(db: Db, caller: Caller): Promise<AccountRow> {
  agentKeyOf(caller);
  await setDomain(db, caller.userId, null);
  return (await findAccount(db, caller.userId))!;
}

function agentKeyOf(caller: Caller): string {
  if (caller.kind !== 'agent' || caller.publicKey === null) {
    throw new Failure('forbidden', 'a domain vouches only for agents: this account is a person');
  }
  return caller.publicKey;
}

export async function linkOperator(db: Db, clock: Clock, caller: Caller, request: SignedRequest) {
  if (caller.kind !== 'human') throw new Failure('forbidden', 'only a person may operate an agent');
  const now = clock.now();
  const { publicKey, digest } = proveKey(
    request,
    operatorSignedString(caller.userId, request.issued_at),
    now,
  );
  return db.tx(async (tx) => {
    const agent = await findAccountByPublicKey(tx, publicKey);
    if (!agent) throw new Failure('not_found', 'no agent has this public key');
    if (!(await useSignature(tx, digest, toTime(now)))) {
      throw new Failure(
        'conflict',
        'this signature was used before: the agent must sign again with the current time',
      );
    }
    if (!(await setOperator(tx, agent.id, null, caller.userId))) {
      throw new Failure('conflict', 'this agent already has an operator');
    }
    return (await findAccount(tx, agent.id))!;
  });
}

export async function unlinkOperator(db: Db, caller: Caller, publicKey: string): Promise<AccountRow> {
  const agent = await findAccountByPublicKey(db, publicKey.toLowerCase());
  if (!agent || !(await setOperator(db, agent.id, caller.userId, null))) {
    throw new Failure('not_found', 'this account does not operate an agent with this public key');
  }
  return (await findAccount(db, agent.id))!;
}
