import { identityOf } from './adapter.ts';
import { type AdminDialect, objects } from './admin-call.ts';

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
