import { identityOf } from './adapter.ts';
import { type AdminDialect, at, linkedAt, object, objects } from './admin-call.ts';

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
