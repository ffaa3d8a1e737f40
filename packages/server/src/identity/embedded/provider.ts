// The OpenID Connect provider behind the embedded issuer (oidc-provider).
import type * as Oidc from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Db } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import type { GuardedOptions } from '../../platform/outgoing/guarded-request.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { openAdapters } from './adapters.ts';
import { CLI_CLIENT, type EmbeddedIssuer, NATIVE_CLIENT, SIGN_IN_DAYS, WEB_CLIENT } from './issuer.ts';
import { type ClientIds, fetchClientDocument, PROGRAM_GRANTS, registeredClient } from './foreign-clients.ts';

const ACCESS_TOKEN_SECONDS = 3_600;
/** A person signs a program in again after this time, as on the pages. */
const SIGN_IN_SECONDS = SIGN_IN_DAYS * 86_400;
const SCOPES = ['openid', 'offline_access', 'profile', 'social'];

export interface ProviderDependencies {
  issuer: EmbeddedIssuer;
  baseUrl: string;
  db: Db;
  keyring: Keyring;
  log: { error(details: object, message: string): void };
  ids: ClientIds;
  registrationUrl: string;
  guard: GuardedOptions;
  count: (address: string) => Promise<unknown>;
  problem: (title: string, message: string) => { html: string; headers: Readonly<Record<string, string>> };
}

/** Loading may outlast the timeout for an issuer's answer, so callers load first. */
export const loadProvider = () => import('oidc-provider');

export async function createProvider(parts: ProviderDependencies): Promise<Provider> {
  const oidc = await loadProvider();
  const { Check, base } = oidc.interactionPolicy;
  const policy = base();
  // Always show the form: signing out of the service must sign out.
  policy
    .get('login')!
    .checks.add(
      new Check('name_alone', 'the name is required at each sign-in', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  policy.get('consent')!.checks.remove('native_client_prompt');
  const provider = new oidc.Provider(parts.issuer.url, {
    ...configuration(parts, oidc.errors),
    interactions: {
      policy,
      url: (_ctx, interaction) => `${new URL(parts.issuer.url).pathname}/interaction/${interaction.uid}`,
    },
  });
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) =>
    parts.log.error({ err: error }, 'the embedded identity provider failed'),
  );
  return provider;
}

function configuration(
  { issuer, baseUrl, db, keyring, problem, ids, registrationUrl, guard, count }: ProviderDependencies,
  errors: Pick<typeof Oidc.errors, 'InvalidGrant' | 'InvalidTarget'>,
): Configuration {
  const [{ alg }] = issuer.keys;
  const adapters = openAdapters({ db, keyring, usedTwice: (message) => new errors.InvalidGrant(message) });
  const client = { response_types: ['code' as const] };
  return {
    adapter: (model) =>
      model === 'Client'
        ? { ...adapters(model), find: async (id) => registeredClient(ids, id) }
        : adapters(model),
    discovery: { registration_endpoint: registrationUrl },
    // The library fetches only metadata documents.
    fetch: (url) => fetchClientDocument(url instanceof Request ? url.url : url, guard),
    jwks: { keys: [...issuer.keys] },
    cookies: { keys: keyring.secrets('issuer-cookies').map((key) => key.toString('base64url')) },
    clientDefaults: { id_token_signed_response_alg: alg, token_endpoint_auth_method: 'none' },
    clients: [
      {
        ...client,
        grant_types: ['authorization_code'],
        client_id: WEB_CLIENT.id,
        redirect_uris: [baseUrl + WEB_CLIENT.callbackPath],
      },
      ...[NATIVE_CLIENT, CLI_CLIENT].map(({ id, callbackPath }) => ({
        ...client,
        grant_types: PROGRAM_GRANTS,
        client_id: id,
        application_type: 'native' as const,
        redirect_uris: ['127.0.0.1', '[::1]', 'localhost'].map((host) => `http://${host}${callbackPath}`),
      })),
    ],
    responseTypes: ['code'],
    pkce: { required: () => true },
    scopes: SCOPES,
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      social: ['social_handle', 'social_verified_at'],
    },
    routes: { userinfo: '/userinfo' },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      revocation: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 3_600, max: 86_400 },
        async allowFetch({ ip }) {
          try {
            await count(ip);
            return true;
          } catch (error) {
            if (error instanceof Failure) return false;
            throw error;
          }
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => baseUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          // `/mcp` is part of the service (docs/agents.md#over-http-mcp).
          const named = [baseUrl, `${baseUrl}/mcp`].map((url) => new URL(url).href);
          if (!named.includes(new URL(resource).href))
            throw new errors.InvalidTarget(`tokens are issued for ${baseUrl} only`);
          return {
            scope: SCOPES.join(' '),
            audience: issuer.audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: ACCESS_TOKEN_SECONDS,
            jwt: { sign: { alg } },
          };
        },
      },
    },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: ACCESS_TOKEN_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: 3_600,
      Session: 3_600,
      Grant: SIGN_IN_SECONDS,
      RefreshToken: SIGN_IN_SECONDS,
    },
    // Clients of MCP seldom request `offline_access`. The grant ends a sign-in, not the browser's session.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    findAccount: (_ctx, subject) => ({ accountId: subject, claims: () => issuer.claimsOf(subject) }),
    extraTokenClaims: async (_ctx, token) => {
      if (!('accountId' in token) || token.accountId === undefined) return undefined;
      const { preferred_username: name } = await issuer.claimsOf(token.accountId);
      return { preferred_username: name, ...(token.grantId !== undefined && { grant_id: token.grantId }) };
    },
    loadExistingGrant,
    renderError(ctx, out) {
      const { html, headers } = problem('Signing in failed', out.error_description ?? out.error);
      ctx.set({ ...headers });
      ctx.body = html;
    },
  };
}

/** The sign-in page names a foreign program, so typing the name is the consent. */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(SCOPES.join(' '));
  for (const resource of Object.keys(ctx.oidc.resourceServers ?? {}))
    grant.addResourceScope(resource, SCOPES.join(' '));
  await grant.save();
  return grant;
}
