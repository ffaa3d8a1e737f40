import { identityOf } from './adapter.ts';
import { type AdminDialect, objects } from './admin-call.ts';

/**
 * Keycloak: `GET /admin/realms/{realm}/users/{id}/federated-identity` returns an array of `identityProvider` (the alias), `userId` and
 * `userName`, without a time.
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
