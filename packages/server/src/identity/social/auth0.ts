import { identityOf } from './adapter.ts';
import { type AdminDialect, at, object, objects } from './admin-call.ts';

/**
 * Auth0: `GET /api/v2/users/{id}` with a token for the Management API. `identities` lists `provider` and `connection`. The names of a
 * linked account are in its `profileData`, those of the first identity in the user itself.
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
