import { randomUUID } from 'node:crypto';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../errors/failure.ts';
import { coalesce } from '../flow/coalesce.ts';
import { issuerKey } from '../identity/issuer-key.ts';
import type { Claims, Issuer, Session } from '../identity/issuer.ts';
import type { People, Person } from '../identity/people.ts';
import { ProviderUnreachable } from '../outgoing/bounded-fetch.ts';
import { findPeople, insertPerson, type KnownPerson } from './people-store.ts';
import { displayNameFor, usernamesFor } from './username.ts';

export interface PeopleOptions {
  db: Db;
  clock: Clock;
  issuer: Issuer;
  /** the claim that holds the social handle, for a name where there is no other */
  socialClaim: string;
}

/** People's accounts, keyed by issuer and subject. */
export function createPeople({ db, clock, issuer, socialClaim }: PeopleOptions): People {
  const find = coalesce(findAll, { slots: 2, most: 256, beside: 64 });
  // Many requests begin a session at once: one of them makes the account.
  const making = new Map<string, Promise<Person>>();

  async function findAll(subjects: readonly string[]): Promise<(Person | undefined)[]> {
    const found = new Map<string, KnownPerson>();
    for (const row of await findPeople(db, subjects)) {
      if (issuerKey(row.issuer) !== issuer.key) continue;
      // Who came by two accounts, when names were compared letter by letter, keeps the one under the issuer's own spelling.
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
      // There now, by us or by another process that was faster; if not, the name was taken.
      const [found] = await findAll([subject]);
      if (found) return found;
    }
    throw new Error('there is always another name');
  }

  /** Many access tokens do not say what their bearer is called: then the issuer is asked, this once. */
  async function namingClaims(claims: Claims, token: string): Promise<Claims> {
    if ('preferred_username' in claims || socialClaim in claims) return claims;
    try {
      return await issuer.userinfo(token);
    } catch (error) {
      // It does not say: then the name is one of ours. One that cannot be reached is asked again, names last.
      if (error instanceof Failure && error.code === 'forbidden') return claims;
      throw error;
    }
  }

  return {
    async of(session, token) {
      const known = await find(session.subject);
      if (known) return known;
      let made = making.get(session.subject);
      if (!made) {
        made = make(session, token).finally(() => making.delete(session.subject));
        making.set(session.subject, made);
      }
      return made;
    },
  };
}
