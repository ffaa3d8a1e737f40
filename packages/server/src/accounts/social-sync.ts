import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
import { type Issuer, issuerKey } from '../identity/issuer.ts';
import type { AskedPerson, SocialAdapter, SocialIdentity } from '../identity/social/admin-call.ts';
import { ProviderUnreachable } from '../platform/outgoing/bounded-fetch.ts';
import { findIdentity, writeSocial } from './people-store.ts';
import { type AccountRow, findAccount } from './store.ts';

export interface SocialSync {
  sync(caller: Caller, token: string | undefined): Promise<AccountRow>;
}

export interface SocialSyncOptions {
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
      const identity = await findIdentity(db, caller.userId);
      // The same subject at a different issuer is a different person.
      if (!identity || issuerKey(identity.issuer) !== issuer.key)
        throw new Failure('forbidden', 'a different identity provider made this account');
      const found = await ask(adapter, {
        subject: identity.subject,
        token: isSession ? token : undefined,
      });
      await writeSocial(db, caller.userId, {
        handle: found?.handle ?? null,
        verifiedAt: found && verifiedAt(found, toTime(clock.now())),
      });
      return (await findAccount(db, caller.userId))!;
    },
  };
}

function verifiedAt({ verified }: SocialIdentity, now: string): string | null {
  if (verified === 'not') return null;
  return verified === 'now' ? now : verified.at;
}
