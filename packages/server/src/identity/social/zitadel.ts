import { identityOf } from './adapter.ts';
import { type AdminDialect, object, objects } from './admin-call.ts';

/**
 * ZITADEL: `POST /v2/users/{id}/links/_search`. Its `result` (absent when empty) lists `idpId`, `userId` and `userName`, without a time.
 * SOCIAL_PROVIDER is the identity provider's id there.
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
