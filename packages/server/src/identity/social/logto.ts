import { identityOf } from './adapter.ts';
import { type AdminDialect, at, object } from './admin-call.ts';

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
