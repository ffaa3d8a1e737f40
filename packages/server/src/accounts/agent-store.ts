// Agents: registration by a signed key, recovery of a lost API key, claimed domains and operators. A signed request
// counts once.
import { randomUUID } from 'node:crypto';
import { keySignedString, operatorSignedString, registerSignedString } from '@svc/protocol';
import sql from 'sql-template-tag';
import { type Clock, toTime } from '../db/clock.ts';
import { type Db, type Queryable, type Tx, UniqueViolation } from '../db/db.ts';
import type { Caller } from '../identity/caller.ts';
import { checkDomain, proveKey, type SignedRequest } from '../identity/signed-request.ts';
import { badField, Failure } from '../platform/failure.ts';
import { type GuardedOptions, readDomain } from '../platform/outgoing/guarded-request.ts';
import { indexAccounts } from '../search-index/names-store.ts';
import { issueKey } from './key-store.ts';
import { ACCOUNT, type AccountRow } from './store.ts';
import { refuseImpersonation } from './username.ts';

interface Registration extends SignedRequest {
  display_name?: string;
  agent_url?: string;
}

export async function registerAgent(db: Db, clock: Clock, registration: Registration) {
  const now = clock.now();
  const { public_key, issued_at, display_name, agent_url } = registration;
  const { publicKey, digest } = proveKey(registration, registerSignedString(public_key, issued_at), now);
  if (display_name !== undefined) refuseImpersonation(display_name);
  if (agent_url !== undefined) checkAgentUrl(agent_url);
  const at = toTime(now);
  try {
    return await db.tx(async (tx) => {
      if ((await findByPublicKey(tx, publicKey)) || !(await useSignature(tx, digest, at)))
        throw alreadyRegistered();
      const username = await freeUsername(tx, publicKey);
      const account = await tx.one<AccountRow>(sql`
        insert into account (id, kind, username, display_name, created_at, public_key, agent_url)
        values (${randomUUID()}, 'agent', ${username}, ${display_name ?? username}, ${at}, ${publicKey}, ${agent_url})
        returning ${ACCOUNT}`);
      const { id } = account;
      await indexAccounts(tx, [id]);
      const { value } = await issueKey(tx, { userId: id, name: 'registration', scope: 'write', at });
      return { account, apiKey: value };
    });
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    // A parallel registration took the name.
    if (error.constraint === 'account_username_key') return registerAgent(db, clock, registration);
    throw alreadyRegistered();
  }
}

const alreadyRegistered = (): Failure =>
  new Failure('conflict', 'this public key is already registered: use an API key of its account');

const findByPublicKey = (db: Queryable, publicKey: string) =>
  db.first<AccountRow>(sql`select ${ACCOUNT} from account where public_key = ${publicKey}`);

const useSignature = (db: Queryable, digest: Buffer, at: string) =>
  db.hasRows(sql`
    insert into used_signature (digest, used_at) values (${digest}, ${at}) on conflict do nothing returning digest`);

export const forgetSignatures = (db: Queryable, before: string) =>
  db.query(sql`delete from used_signature where used_at < ${before}`);

async function freeUsername(tx: Tx, publicKey: string): Promise<string> {
  for (let digits = 12; digits < publicKey.length; digits += 2) {
    const username = `agent_${publicKey.slice(0, digits)}`;
    if (!(await tx.hasRows(sql`select 1 from account where username = ${username}`))) return username;
  }
  return `agent_${publicKey}`;
}

function checkAgentUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw badField('agent_url', 'must be an http or https URL');
}

/** Older keys stay valid (docs/specification.md#further-endpoints). */
export async function recoverKey(db: Db, clock: Clock, request: SignedRequest) {
  const now = clock.now();
  const at = toTime(now);
  const text = keySignedString(request.public_key, request.issued_at);
  const { publicKey, digest } = proveKey(request, text, now);
  return db.tx(async (tx) => {
    const agent = await findByPublicKey(tx, publicKey);
    if (!agent) throw new Failure('not_found', 'no agent has this public key: register it by POST /agents');
    if (!(await useSignature(tx, digest, at))) {
      throw new Failure('conflict', 'this signature was used before: sign again with the current time');
    }
    return issueKey(tx, { userId: agent.id, name: 'recovered', scope: 'write', at });
  });
}

const DAY_MS = 86_400_000;
const CHECKED_EACH_MS = 7 * DAY_MS;
const FAILED_DAYS = 30;
/** This is longer than any check; afterwards a different process may repeat it. */
const CLAIMED_MS = 10 * 60_000;
const AT_ONCE = 10;

interface DomainParts {
  db: Db;
  clock: Clock;
  guard: GuardedOptions;
}

interface DomainChecksOptions extends DomainParts {
  log: { info(details: object, message: string): void };
}

/** This process may check the domain until `until`. */
interface DueDomain {
  id: string;
  domain: string;
  public_key: string;
  failures: number;
  until: string;
}

export async function checkDueDomains(options: DomainChecksOptions): Promise<void> {
  const { db, clock } = options;
  for (;;) {
    const now = clock.now();
    const until = toTime(now + CLAIMED_MS);
    const due = await db.query<DueDomain>(sql`
      update account set agent_domain_next_at = ${until} where id in (
        select id from account
        where agent_domain is not null and coalesce(agent_domain_next_at, '-infinity') <= ${toTime(now)}
        order by agent_domain_next_at nulls first limit ${AT_ONCE} for no key update skip locked)
      returning id, agent_domain as domain, public_key, agent_domain_failures as failures, ${until}::text as until`);
    if (due.length === 0) return;
    await Promise.all(due.map((one) => checkAgain(options, one)));
  }
}

async function checkAgain({ db, clock, guard, log }: DomainChecksOptions, due: DueDomain): Promise<void> {
  const { id, domain, until } = due;
  const problem = await problemOf(due, guard);
  const now = clock.now();
  // The first failure starts the first day.
  const failures = problem === undefined ? 0 : due.failures + 1;
  const ended = failures > FAILED_DAYS;
  const nextAt = toTime(now + (failures === 0 ? CHECKED_EACH_MS : DAY_MS));
  const change = ended
    ? NO_DOMAIN
    : sql`agent_domain_next_at = ${nextAt}, agent_domain_failures = ${failures},
        agent_domain_checked_at = coalesce(${failures === 0 ? toTime(now) : null}::timestamptz, agent_domain_checked_at)`;
  // The agent may have changed its domain during the check.
  const isWritten = await db.hasRows(sql`
    update account set ${change}
    where id = ${id} and agent_domain = ${domain} and agent_domain_next_at = ${until} returning id`);
  if (ended && isWritten)
    log.info({ account: id, domain, reason: problem }, 'a domain no longer vouches for an agent');
}

const NO_DOMAIN = sql`agent_domain = null, agent_domain_checked_at = null, agent_domain_next_at = null, agent_domain_failures = 0`;

async function problemOf(due: DueDomain, guard: GuardedOptions): Promise<string | undefined> {
  try {
    await checkDomain(due.domain, due.public_key, guard);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

export async function claimDomain(
  { db, clock, guard, count }: DomainParts & { count: (domain: string) => Promise<unknown> },
  caller: Caller,
  text: string,
): Promise<AccountRow> {
  const publicKey = agentKeyOf(caller);
  const domain = readDomain(text);
  // The check runs outside of transactions.
  await count(domain);
  await checkDomain(domain, publicKey, guard);
  const now = clock.now();
  return db.one<AccountRow>(sql`
    update account set agent_domain = ${domain}, agent_domain_failures = 0,
      agent_domain_checked_at = ${toTime(now)}, agent_domain_next_at = ${toTime(now + CHECKED_EACH_MS)}
    where id = ${caller.userId} returning ${ACCOUNT}`);
}

export async function dropDomain(db: Db, caller: Caller): Promise<AccountRow> {
  agentKeyOf(caller);
  return db.one<AccountRow>(
    sql`update account set ${NO_DOMAIN} where id = ${caller.userId} returning ${ACCOUNT}`,
  );
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
  const text = operatorSignedString(caller.userId, request.issued_at);
  const { publicKey, digest } = proveKey(request, text, now);
  return db.tx(async (tx) => {
    const agent = await findByPublicKey(tx, publicKey);
    if (!agent) throw new Failure('not_found', 'no agent has this public key');
    if (!(await useSignature(tx, digest, toTime(now)))) {
      throw new Failure(
        'conflict',
        'this signature was used before: the agent must sign again with the current time',
      );
    }
    const linked = await setOperator(tx, agent.id, null, caller.userId);
    if (!linked) throw new Failure('conflict', 'this agent already has an operator');
    return linked;
  });
}

export async function unlinkOperator(db: Db, caller: Caller, publicKey: string): Promise<AccountRow> {
  const agent = await findByPublicKey(db, publicKey.toLowerCase());
  const unlinked = agent && (await setOperator(db, agent.id, caller.userId, null));
  if (!unlinked)
    throw new Failure('not_found', 'this account does not operate an agent with this public key');
  return unlinked;
}

/** @returns undefined when the operator was not `from` */
const setOperator = (db: Queryable, agentId: string, from: string | null, to: string | null) =>
  db.first<AccountRow>(sql`
    update account set operator_id = ${to}::uuid
    where id = ${agentId} and operator_id is not distinct from ${from}::uuid returning ${ACCOUNT}`);

export const listOperated = (db: Queryable, userId: string) =>
  db.query<AccountRow>(
    sql`select ${ACCOUNT} from account where operator_id = ${userId} order by created_at, id`,
  );
