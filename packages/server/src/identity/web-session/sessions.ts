import { randomBytes } from 'node:crypto';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { type Keyring, SealBroken } from '../../platform/secrets/keyring.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { singleFlight } from '../../platform/flow/coalesce.ts';
import { callerOf } from '../authenticate.ts';
import type { Caller } from '../caller.ts';
import type { People } from '../issuer.ts';
import {
  closeTokens,
  openTokens,
  type SignedIn,
  type SignInClient,
  SignInFailed,
  type Tokens,
} from './client.ts';
import {
  claimRefresh,
  deleteSession,
  endSession,
  findSession,
  forgetSessions,
  insertSession,
  type Since,
  takeEnded,
  touchSession,
  writeTokens,
} from './store.ts';

export interface WebSession {
  caller: Caller;
  /** Renews the token if necessary; undefined when none is valid. */
  token(): Promise<string | undefined>;
}

export interface WebSessionDependencies {
  config: Pick<Config, 'identity' | 'secrets'>;
  db: Db;
  clock: Clock;
  keyring: Keyring;
  log: { warn(details: object, message: string): void };
}

/** A token that ends earlier is renewed. */
const EARLY_MS = 60_000;
const REFRESH_MS = 15_000;
const TOUCH_MS = 60_000;
const LEAVING_MS = 5 * 60_000;

/** The cookie carries a random value; the database stores its hash. */
export function createWebSessions(
  { config: { identity }, db, clock, keyring, log }: WebSessionDependencies,
  client: SignInClient,
  people: People,
) {
  const idle = identity.sessionIdleSeconds * 1000;
  const since = (): Since => ({
    used: toTime(clock.now() - idle),
    begun: toTime(clock.now() - identity.sessionMaxSeconds * 1000),
  });
  const once = singleFlight<Tokens | undefined>();

  /**
   * Ends the session if the issuer rejects the grant. A refresh token must not be used twice, so a caller with an
   * old row gets the tokens that a different process wrote.
   */
  async function renew(hash: Buffer, closed: Buffer, tokens: Tokens): Promise<Tokens | undefined> {
    const now = clock.now();
    const until = toTime(now + REFRESH_MS);
    if (!(await claimRefresh(db, { hash, tokens: closed, now: toTime(now), until }))) {
      const row = await findSession(db, hash, since());
      const found = row && openIfWhole(keyring, hash, row.tokens);
      return found && !endsBefore(found, now) ? found : undefined;
    }
    try {
      const fresh = await client.refresh(tokens);
      await writeTokens(db, hash, closeTokens(keyring, hash, fresh));
      return fresh;
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      log.warn({ reason: error.message }, 'a session could not be renewed at the identity provider');
      // The issuer ended the grant. Other errors may be temporary.
      if (error.errorCode === 'invalid_grant') await deleteSession(db, hash, toTime(clock.now()));
      return undefined;
    }
  }

  const renewOnce = (hash: Buffer, closed: Buffer, tokens: Tokens) =>
    once(hash.toString('hex'), () => renew(hash, closed, tokens));

  const endsBefore = ({ expiresAt }: Tokens, at: number): boolean =>
    expiresAt !== undefined && expiresAt <= at;

  return {
    async begin({ subject, claims, tokens }: SignedIn, replaced: string | undefined) {
      const { user_id: userId } = await people.of({ subject, claims }, tokens.access);
      const value = randomBytes(32).toString('base64url');
      const hash = sha256(value);
      const closed = closeTokens(keyring, hash, tokens);
      await db.tx(async (tx) => {
        const at = toTime(clock.now());
        if (replaced !== undefined) await deleteSession(tx, sha256(replaced), at);
        await insertSession(tx, { hash, userId, tokens: closed, at });
      });
      return value;
    },

    async find(value: string) {
      const hash = sha256(value);
      const row = await findSession(db, hash, since());
      const tokens = row && openIfWhole(keyring, hash, row.tokens);
      if (!row || !tokens) return undefined;
      const now = clock.now();
      if (now - Date.parse(row.used_at) > Math.min(TOUCH_MS, idle / 10))
        await touchSession(db, hash, toTime(now));
      // A page must not wait for the issuer.
      if (tokens.refresh !== undefined && endsBefore(tokens, now + EARLY_MS))
        renewOnce(hash, row.tokens, tokens).catch((error: unknown) =>
          log.warn({ err: error }, 'a session could not be renewed'),
        );
      return {
        caller: callerOf(row, null, { type: 'session' }),
        async token() {
          if (!endsBefore(tokens, clock.now())) return tokens.access;
          if (tokens.refresh === undefined) return undefined;
          return (await renewOnce(hash, row.tokens, tokens))?.access;
        },
      };
    },

    /** Returns the value for `leave`; undefined without a sign-out at the issuer. */
    async end(value: string) {
      const hash = sha256(value);
      const row = await findSession(db, hash, since());
      const tokens = row && openIfWhole(keyring, hash, row.tokens);
      const leaving = randomBytes(32).toString('base64url');
      if (tokens && (await client.leaveUrl(tokens.id)) !== undefined) {
        const newHash = sha256(leaving);
        const closed = closeTokens(keyring, newHash, tokens);
        await endSession(db, { hash, newHash, tokens: closed, at: toTime(clock.now()) });
        return leaving;
      }
      await deleteSession(db, hash, toTime(clock.now()));
      return undefined;
    },

    async leave(value: string) {
      const hash = sha256(value);
      const closed = await takeEnded(db, hash, toTime(clock.now() - LEAVING_MS));
      const tokens = closed && openIfWhole(keyring, hash, closed);
      return tokens && client.leaveUrl(tokens.id);
    },

    forget: () => forgetSessions(db, since(), toTime(clock.now() - LEAVING_MS)),
  };
}

export type WebSessions = ReturnType<typeof createWebSessions>;

/** Returns undefined if SECRET_KEYS lost the session's key. */
function openIfWhole(keyring: Keyring, hash: Buffer, closed: Buffer): Tokens | undefined {
  try {
    return openTokens(keyring, hash, closed);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
