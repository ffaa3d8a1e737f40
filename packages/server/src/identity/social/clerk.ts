import { identityOf } from './adapter.ts';
import { type AdminDialect, at, linkedAt, object, objects } from './admin-call.ts';

/**
 * Clerk: `GET https://api.clerk.com/v1/users/{id}` with the secret key. `external_accounts` lists `provider` (`oauth_x`), `username`,
 * `verification` and `created_at` in milliseconds. Unverified accounts are ignored.
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
