import { identityOf } from './adapter.ts';
import { type AdminDialect, at, object, objects } from './admin-call.ts';

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
