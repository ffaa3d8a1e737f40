// Opens the web sign-in if an issuer and a client are configured.
import { type EmbeddedIssuer, WEB_CLIENT } from '../embedded/issuer.ts';
import { loadProvider } from '../embedded/provider.ts';
import type { Issuer, People } from '../issuer.ts';
import { createSignInClient, type SignInClient } from './client.ts';
import { createWebSessions, type WebSessionDependencies, type WebSessions } from './sessions.ts';

export type WebSignIn =
  | { client: SignInClient; sessions: WebSessions; issuerHost: string | undefined; missing?: undefined }
  | {
      client?: undefined;
      sessions?: undefined;
      issuerHost?: undefined;
      missing: 'IDENTITY_ISSUER' | 'IDENTITY_CLIENT_ID';
    };

interface WebSignInDependencies extends WebSessionDependencies {
  baseUrl: string;
}

export function openWebSignIn(
  deps: WebSignInDependencies,
  found: { issuer: Issuer; people: People; embedded: EmbeddedIssuer | undefined } | undefined,
): WebSignIn {
  const { identity, secrets } = deps.config;
  const { baseUrl, clock } = deps;
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
  const sessions = createWebSessions(deps, client, people);
  return { client, sessions, issuerHost: embedded ? undefined : new URL(issuer.key).host };
}
