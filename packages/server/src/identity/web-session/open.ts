import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import type { Config } from '../../settings/config.ts';
import { type EmbeddedIssuer, WEB_CLIENT } from '../embedded/issuer.ts';
import { loadProvider } from '../embedded/provider.ts';
import type { Issuer, People } from '../issuer.ts';
import { createSignInClient, type SignInClient } from './client.ts';
import { createWebSessions, type WebSessions } from './sessions.ts';

export type WebSignIn =
  | { client: SignInClient; sessions: WebSessions; issuerHost: string | undefined; missing?: undefined }
  | {
      client?: undefined;
      sessions?: undefined;
      issuerHost?: undefined;
      missing: 'IDENTITY_ISSUER' | 'IDENTITY_CLIENT_ID';
    };

export interface WebSignInParts {
  config: Config;
  baseUrl: string;
  db: Db;
  clock: Clock;
  keyring: Keyring;
  log: { warn(details: object, message: string): void };
}

export function openWebSignIn(
  { config: { identity, secrets }, baseUrl, db, clock, keyring, log }: WebSignInParts,
  found: { issuer: Issuer; people: People; embedded: EmbeddedIssuer | undefined } | undefined,
): WebSignIn {
  if (!found) return { missing: 'IDENTITY_ISSUER' };
  const { issuer, people, embedded } = found;
  const clientId = embedded ? WEB_CLIENT.id : identity.clientId;
  if (clientId === undefined) return { missing: 'IDENTITY_CLIENT_ID' };
  const client = createSignInClient({
    issuer: async () => embedded?.url ?? issuer.name(),
    clientId,
    clientSecret: secrets.identityClientSecret,
    scopes: embedded ? WEB_CLIENT.scopes : identity.scopes,
    baseUrl,
    callbackPath: WEB_CLIENT.callbackPath,
    now: () => clock.now(),
    ...(embedded && { ready: loadProvider }),
  });
  const sessions = createWebSessions({
    db,
    clock,
    keyring,
    client,
    people,
    idleSeconds: identity.sessionIdleSeconds,
    maxSeconds: identity.sessionMaxSeconds,
    log,
  });
  return { client, sessions, issuerHost: embedded ? undefined : new URL(issuer.key).host };
}
