import { identityOf } from './adapter.ts';
import { type AdminDialect, object, objects } from './admin-call.ts';

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
