import { randomUUID } from 'node:crypto';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { coalesce, singleFlight } from '../platform/flow/coalesce.ts';
import {
  type Claims,
  type Issuer,
  issuerKey,
  type People,
  type Person,
  type Session,
} from '../identity/issuer.ts';
import { ProviderUnreachable } from '../platform/outgoing/bounded-fetch.ts';
import { findPeople, insertPerson, type KnownPerson } from './people-store.ts';
import { displayNameFor, usernamesFor } from './username.ts';

export interface PeopleOptions {
  db: Db;
  clock: Clock;
  issuer: Issuer;
  socialClaim: string;
}

export function createPeople({ db, clock, issuer, socialClaim }: PeopleOptions): People {
  const find = coalesce(findAll, { slots: 2, most: 256, parallelFrom: 64 });
  // Parallel requests of a new session share one creation.
  const once = singleFlight<Person>();

  async function findAll(subjects: readonly string[]): Promise<(Person | undefined)[]> {
    const found = new Map<string, KnownPerson>();
    for (const row of await findPeople(db, subjects)) {
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

  async function make({ subject, claims }: Session, token: string): Promise<Person> {
    const name = await issuerName();
    const named = await namingClaims(claims, token);
    for (const username of usernamesFor(named['preferred_username'], named[socialClaim])) {
      await insertPerson(db, {
        id: randomUUID(),
        username,
        displayName: displayNameFor(named['preferred_username'] ?? named[socialClaim], username),
        issuer: name,
        subject,
        at: toTime(clock.now()),
      });
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
