import { type EmbeddedIssuer, WEB_CLIENT } from '../embedded/issuer.ts';
import { loadProvider } from '../embedded/provider.ts';
import type { Issuer, People } from '../issuer.ts';
import { createSignInClient, type SignInClient } from './client.ts';
import { createWebSessions, type WebSessionParts, type WebSessions } from './sessions.ts';

export type WebSignIn =
  | { client: SignInClient; sessions: WebSessions; issuerHost: string | undefined; missing?: undefined }
  | {
      client?: undefined;
      sessions?: undefined;
      issuerHost?: undefined;
      missing: 'IDENTITY_ISSUER' | 'IDENTITY_CLIENT_ID';
    };

interface WebSignInParts extends WebSessionParts {
  baseUrl: string;
}

export function openWebSignIn(
  parts: WebSignInParts,
  found: { issuer: Issuer; people: People; embedded: EmbeddedIssuer | undefined } | undefined,
): WebSignIn {
  const { identity, secrets } = parts.config;
  const { baseUrl, clock } = parts;
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
  const sessions = createWebSessions(parts, client, people);
  return { client, sessions, issuerHost: embedded ? undefined : new URL(issuer.key).host };
}
