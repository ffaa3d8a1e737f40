import { type AdminDialect, at, identityOf, linkedAt, object, objects } from './admin-call.ts';

/**
 * `GET /api/v2/users/{id}`, Management API. `identities` lists `provider` and `connection`; a linked account's names
 * are in `profileData`, the first identity's in the user.
 */
export const auth0: AdminDialect = {
  apiUrl: (issuer) => `${issuer}/api/v2`,
  path: (user) => `/users/${user}`,
  isUnknownUser: (body) => body['errorCode'] === 'inexistent_user',
  read(body, provider) {
    const user = object(body);
    const identities = objects(user['identities'] ?? []);
    const identity = identities.find(
      (item) => item['provider'] === provider || item['connection'] === provider,
    );
    if (!identity) return null;
    const profile = identity === identities[0] ? user : identity['profileData'];
    return identityOf(at(profile, 'screen_name') ?? at(profile, 'nickname'), 'now');
  },
};

/**
 * `GET https://api.clerk.com/v1/users/{id}`, secret key. `external_accounts` lists `provider` (`oauth_x`), `username`,
 * `verification`, `created_at` (ms). Ignores unverified accounts.
 */
export const clerk: AdminDialect = {
  apiUrl: () => 'https://api.clerk.com/v1',
  path: (user) => `/users/${user}`,
  isUnknownUser: (body) =>
    objects(body['errors'] ?? []).some((error) => error['code'] === 'resource_not_found'),
  read(body, provider) {
    const account = objects(object(body)['external_accounts'] ?? []).find(
      (item) =>
        [provider, `oauth_${provider}`].includes(String(item['provider'])) &&
        at(item, 'verification', 'status') === 'verified',
    );
    return account ? identityOf(account['username'], linkedAt(account['created_at'])) : null;
  },
};

/**
 * `GET /admin/realms/{realm}/users/{id}/federated-identity`: an array of `identityProvider` (the alias), `userId`,
 * `userName`.
 */
export const keycloak: AdminDialect = {
  apiUrl: (issuer) => issuer.replace(/\/realms\/([^/]+)$/, '/admin/realms/$1'),
  path: (user) => `/users/${user}/federated-identity`,
  isUnknownUser: (body) => body['error'] === 'User not found',
  read(body, provider) {
    const link = objects(body).find((item) => item['identityProvider'] === provider);
    return link ? identityOf(link['userName'], 'now') : null;
  },
};

const HANDLES = [
  ['data', 'username'],
  ['userInfo', 'login'],
  ['login'],
  ['username'],
  ['screen_name'],
  ['preferred_username'],
];

/**
 * `GET /api/users/{id}`, Management API. `identities` maps the connector's target to `{ userId, details }`; `rawData`
 * is the social provider's answer.
 */
export const logto: AdminDialect = {
  apiUrl: (issuer) => `${new URL(issuer).origin}/api`,
  path: (user) => `/users/${user}`,
  isUnknownUser: (body) => String(body['code']).startsWith('entity.not_'),
  read(body, provider) {
    const identity = at(object(body), 'identities', provider);
    if (identity === undefined || identity === null) return null;
    const raw = at(identity, 'details', 'rawData');
    return identityOf(
      HANDLES.map((path) => at(raw, ...path)).find((found) => found !== undefined && found !== null),
      'now',
    );
  },
};

/**
 * `GET <issuer>/admin/users/{id}`, service role key. `identities` list `provider`, `identity_data` (the provider's own
 * names), `created_at`.
 */
export const supabase: AdminDialect = {
  apiUrl: (issuer) => issuer,
  path: (user) => `/admin/users/${user}`,
  headers: (token) => ({ apikey: token }),
  isUnknownUser: (body) => body['error_code'] === 'user_not_found',
  read(body, provider) {
    const identity = objects(object(body)['identities'] ?? []).find((item) => item['provider'] === provider);
    if (!identity) return null;
    const data = identity['identity_data'];
    return identityOf(
      at(data, 'user_name') ?? at(data, 'preferred_username'),
      linkedAt(identity['created_at']),
    );
  },
};

/**
 * `POST /v2/users/{id}/links/_search`: `result` (absent when empty) lists `idpId`, `userId`, `userName`.
 * SOCIAL_PROVIDER is the provider's id.
 */
export const zitadel: AdminDialect = {
  apiUrl: (issuer) => `${issuer}/v2`,
  path: (user) => `/users/${user}/links/_search`,
  post: {},
  isUnknownUser: (body) => body['code'] === 5 || body['code'] === 'not_found',
  read(body, provider) {
    const link = objects(object(body)['result'] ?? []).find((item) => item['idpId'] === provider);
    return link ? identityOf(link['userName'], 'now') : null;
  },
};
