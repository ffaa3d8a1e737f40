// The administrators' APIs of identity providers, from which linked accounts are read.
import { asObject, ProviderUnreachable } from '../../platform/outgoing/bounded-fetch.ts';

type Json = Record<string, unknown>;

/** How an administrator reads a person's linked accounts, by the provider's public documentation. */
export interface Dialect {
  apiUrl(issuer: string): string;
  path(user: string): string;
  post?: Json;
  headers?(token: string): Record<string, string>;
  /** Reads the body of a 404; a 404 with a different body means a wrong URL. */
  isUnknownUser(body: Json): boolean;
  /** the linked account at the social provider */
  find(body: unknown, provider: string): unknown;
  handle(account: unknown): unknown;
  /** field with the time of the link */
  linkedAt?: string;
}

export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => asObject(inner)?.[name], value);

const unexpected = () => new ProviderUnreachable("the administrator's API returned an unexpected answer");

function objects(value: unknown): Json[] {
  if (!Array.isArray(value)) throw unexpected();
  return value.map((item) => asObject(item) ?? {});
}

function object(value: unknown): Json {
  const found = asObject(value);
  if (!found) throw unexpected();
  return found;
}

const listed = (body: unknown, field: string): Json[] => objects(object(body)[field] ?? []);

const firstOf = (value: unknown, ...paths: string[][]): unknown =>
  paths.map((path) => at(value, ...path)).find((found) => found !== undefined && found !== null);

export const DIALECTS = {
  /** `GET <issuer>/admin/users/{id}`, service role key. `identity_data` has the provider's own names. */
  supabase: {
    apiUrl: (issuer) => issuer,
    path: (user) => `/admin/users/${user}`,
    headers: (token) => ({ apikey: token }),
    isUnknownUser: (body) => body['error_code'] === 'user_not_found',
    find: (body, provider) => listed(body, 'identities').find((item) => item['provider'] === provider),
    handle: (account) =>
      firstOf(account, ['identity_data', 'user_name'], ['identity_data', 'preferred_username']),
    linkedAt: 'created_at',
  },

  /** `GET /admin/realms/{realm}/users/{id}/federated-identity`: `identityProvider` is the alias. */
  keycloak: {
    apiUrl: (issuer) => issuer.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1'),
    path: (user) => `/users/${user}/federated-identity`,
    isUnknownUser: (body) => body['error'] === 'User not found',
    find: (body, provider) => objects(body).find((item) => item['identityProvider'] === provider),
    handle: (account) => at(account, 'userName'),
  },

  /**
   * `GET /api/v2/users/{id}`, Management API. A linked account's names are in `profileData`, the first identity's in
   * the user.
   */
  auth0: {
    apiUrl: (issuer) => `${issuer}/api/v2`,
    path: (user) => `/users/${user}`,
    isUnknownUser: (body) => body['errorCode'] === 'inexistent_user',
    find(body, provider) {
      const identities = listed(body, 'identities');
      const found = identities.find((item) => [item['provider'], item['connection']].includes(provider));
      return found && (found === identities[0] ? body : (found['profileData'] ?? {}));
    },
    handle: (account) => firstOf(account, ['screen_name'], ['nickname']),
  },

  /**
   * `GET /api/users/{id}`, Management API. `identities` maps the connector's target to `{ userId, details }`;
   * `rawData` is the social provider's answer.
   */
  logto: {
    apiUrl: (issuer) => `${new URL(issuer).origin}/api`,
    path: (user) => `/users/${user}`,
    isUnknownUser: (body) => String(body['code']).startsWith('entity.not_'),
    find: (body, provider) => at(object(body), 'identities', provider),
    handle: (account) =>
      firstOf(
        at(account, 'details', 'rawData'),
        ['data', 'username'],
        ['userInfo', 'login'],
        ['login'],
        ['username'],
        ['screen_name'],
        ['preferred_username'],
      ),
  },

  /**
   * `POST /v2/users/{id}/links/_search`: `result` (absent when empty) lists `idpId`, `userId`, `userName`.
   * SOCIAL_PROVIDER is the provider's id.
   */
  zitadel: {
    apiUrl: (issuer) => `${issuer}/v2`,
    path: (user) => `/users/${user}/links/_search`,
    post: {},
    isUnknownUser: (body) => body['code'] === 5 || body['code'] === 'not_found',
    find: (body, provider) => listed(body, 'result').find((item) => item['idpId'] === provider),
    handle: (account) => at(account, 'userName'),
  },

  /** `GET https://api.clerk.com/v1/users/{id}`, secret key. `provider` is `oauth_x`; ignores unverified accounts. */
  clerk: {
    apiUrl: () => 'https://api.clerk.com/v1',
    path: (user) => `/users/${user}`,
    isUnknownUser: (body) =>
      objects(body['errors'] ?? []).some((error) => error['code'] === 'resource_not_found'),
    find: (body, provider) =>
      listed(body, 'external_accounts').find(
        (item) =>
          [provider, `oauth_${provider}`].includes(String(item['provider'])) &&
          at(item, 'verification', 'status') === 'verified',
      ),
    handle: (account) => at(account, 'username'),
    linkedAt: 'created_at',
  },
} satisfies Record<string, Dialect>;
