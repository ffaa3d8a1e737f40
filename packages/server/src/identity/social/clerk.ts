import { identityOf } from './adapter.ts';
import { type AdminDialect, at, linkedAt, object, objects } from './admin-call.ts';

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
