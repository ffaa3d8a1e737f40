import { operatorSignedString } from '@svc/protocol';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import { checkDomain } from '../identity/domain-proof.ts';
import { proveKey, type SignedRequest } from '../identity/signed-request.ts';
import { readDomain } from '../platform/outgoing/domain-name.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import { CHECKED_EACH_MS } from './domain-checks.ts';
import { type AccountRow, findAccount, findAccountByPublicKey, useSignature } from './store.ts';
import { setDomain, setOperator } from './vouching-store.ts';

export interface DomainChecks {
  db: Db;
  clock: Clock;
  guard: GuardedOptions;
  count: (domain: string) => Promise<unknown>;
}

export async function claimDomain(
  { db, clock, guard, count }: DomainChecks,
  caller: Caller,
  text: string,
): Promise<AccountRow> {
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

export async function linkOperator(
  db: Db,
  clock: Clock,
  caller: Caller,
  request: SignedRequest,
): Promise<AccountRow> {
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
