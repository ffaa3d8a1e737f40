// Accounts of people: finds or creates the account of an issuer's subject, and stores the linked social identity.
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Caller } from '../identity/caller.ts';
import {
  type Claims,
  type Issuer,
  issuerKey,
  type People,
  type Person,
  type VerifiedToken,
} from '../identity/issuer.ts';
import type { AskedPerson, SocialAdapter, SocialIdentity } from '../identity/social/adapter.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce, singleFlight } from '../platform/flow/coalesce.ts';
import { ProviderUnreachable } from '../platform/outgoing/bounded-fetch.ts';
import { indexAccounts } from '../search-index/names-store.ts';
import { ACCOUNT, type AccountRow } from './store.ts';
import { displayNameFor, usernamesFor } from './username.ts';

interface PeopleOptions {
  db: Db;
  clock: Clock;
  issuer: Issuer;
  socialClaim: string;
}

/** `issuer` keeps the spelling of the account's creation. */
interface KnownPerson extends Person {
  issuer: string;
}

export function createPeople({ db, clock, issuer, socialClaim }: PeopleOptions): People {
  const find = coalesce(findAll, { slots: 2, most: 256, parallelFrom: 64 });
  // Parallel requests of a new session share one creation.
  const once = singleFlight<Person>();

  async function findAll(subjects: readonly string[]): Promise<(Person | undefined)[]> {
    const found = new Map<string, KnownPerson>();
    const rows = await db.query<KnownPerson>(sql`
      select issuer, subject, id as user_id, username, display_name, kind, agent_domain, operator_id, social_handle,
        social_verified_at, suspended_for
      from account where subject = any(${subjects}::text[]) and issuer is not null order by created_at, id`);
    for (const row of rows) {
      if (issuerKey(row.issuer) !== issuer.key) continue;
      // An older version compared issuers letter by letter. The issuer's own spelling wins.
      if (!found.has(row.subject) || row.issuer === (await issuerName())) found.set(row.subject, row);
    }
    return subjects.map((subject) => found.get(subject));
  }

  async function issuerName(): Promise<string> {
    try {
      return await issuer.name();
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error;
      throw new Failure('service_unavailable', 'the identity provider cannot be reached: try again');
    }
  }

  async function make({ subject, claims }: VerifiedToken, token: string): Promise<Person> {
    const name = await issuerName();
    const named = await namingClaims(claims, token);
    for (const username of usernamesFor(named['preferred_username'], named[socialClaim])) {
      const displayName = displayNameFor(named['preferred_username'] ?? named[socialClaim], username);
      const made = await db.column<string>(sql`
        insert into account (id, kind, username, display_name, created_at, issuer, subject)
        values (${randomUUID()}, 'human', ${username}, ${displayName}, ${toTime(clock.now())}, ${name}, ${subject})
        on conflict do nothing returning id`);
      await indexAccounts(db, made);
      // Without an account, the username was taken.
      const [found] = await findAll([subject]);
      if (found) return found;
    }
    throw new Error('there is always another name');
  }

  /** Many access tokens contain no name. */
  async function namingClaims(claims: Claims, token: string): Promise<Claims> {
    if ('preferred_username' in claims || socialClaim in claims) return claims;
    try {
      return await issuer.userinfo(token);
    } catch (error) {
      // The service chooses a name. Other errors fail, because a username never changes.
      if (error instanceof Failure && error.code === 'forbidden') return claims;
      throw error;
    }
  }

  return {
    async of(session, token) {
      const known = await find(session.subject);
      return known ?? once(session.subject, () => make(session, token));
    },
  };
}

export interface SocialSync {
  sync(caller: Caller, token: string | undefined): Promise<AccountRow>;
}

interface SocialSyncOptions {
  db: Db;
  clock: Clock;
  log: { warn(details: object, message: string): void };
  provider: { adapter: SocialAdapter; issuer: Pick<Issuer, 'key'> } | undefined;
}

export function createSocialSync({ db, clock, log, provider }: SocialSyncOptions): SocialSync {
  /** May take seconds, so it must not run in a transaction. */
  async function ask(adapter: SocialAdapter, person: AskedPerson): Promise<SocialIdentity | null> {
    try {
      return await adapter.read(person);
    } catch (error) {
      if (!(error instanceof ProviderUnreachable)) throw error;
      log.warn({ reason: error.message }, 'the social identity could not be read');
      throw new Failure(
        'service_unavailable',
        'the identity provider cannot be reached or does not return the identity: nothing was changed, try again',
      );
    }
  }

  return {
    async sync(caller, token) {
      if (caller.kind !== 'human')
        throw new Failure('forbidden', 'only people have a linked social identity');
      if (!provider) throw new Failure('service_unavailable', 'no identity provider is set up');
      const { adapter, issuer } = provider;
      const isSession = caller.credential.type === 'session';
      if (adapter.needsToken && !isSession) {
        throw new Failure(
          'forbidden',
          'an API key gives no access to the identity provider: use a session token',
        );
      }
      const identity = await db.first<{ issuer: string; subject: string }>(sql`
        select issuer, subject from account where id = ${caller.userId} and issuer is not null and subject is not null`);
      // The same subject at a different issuer is a different person.
      if (!identity || issuerKey(identity.issuer) !== issuer.key)
        throw new Failure('forbidden', 'a different identity provider made this account');
      const found = await ask(adapter, {
        subject: identity.subject,
        token: isSession ? token : undefined,
      });
      const at = found && verifiedAt(found, toTime(clock.now()));
      const row = await db.one<AccountRow>(sql`
        update account set social_handle = ${found?.handle}, social_verified_at = ${at}
        where id = ${caller.userId} returning ${ACCOUNT}`);
      await indexAccounts(db, [caller.userId]);
      return row;
    },
  };
}

function verifiedAt({ verified }: SocialIdentity, now: string): string | null {
  if (verified === 'not') return null;
  return verified === 'now' ? now : verified.at;
}
