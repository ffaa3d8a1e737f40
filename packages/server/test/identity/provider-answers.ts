/** The parts of each identity provider's documented answers that its adapter could confuse, with our names and ids. */
export interface ProviderAnswers {
  issuerPath: string;
  path: (user: string) => string;
  /** default GET */
  method?: 'POST';
  subject: string;
  provider: string;
  linked: unknown;
  handle: string;
  /** undefined: the provider stores no time */
  verifiedAt?: string;
  unlinked: unknown;
  unknownUser: { status: number; body: unknown };
  refused: { status: number; body: unknown };
}

const SUPABASE = '11111111-2222-4333-8444-555555555555';
const CREATED = '2026-01-02T03:04:05.123456Z';
const supabaseUser = { id: SUPABASE, user_metadata: { user_name: 'not_this_one' }, created_at: CREATED };
const AUTH0 = 'auth0|5457edea1b8f33391a000004';
const auth0User = { user_id: AUTH0, nickname: 'not_this_one', name: 'ada@example.org' };
const logtoUser = { id: 'a1b2c3d4e5f6', username: 'not_this_one', createdAt: 1767323045123 };
const CLERK = 'user_2abcdefghijklmnopqrstuvwxyz';
const clerkUser = { id: CLERK, username: 'not_this_one', created_at: 1767323045123 };
const X = { provider: 'oauth_x' };
const google = { identityProvider: 'google', userId: '7', userName: 'ada@example.org' };

type Name = 'supabase' | 'keycloak' | 'auth0' | 'logto' | 'zitadel' | 'clerk';
export const PROVIDERS: Record<Name, ProviderAnswers> = {
  supabase: {
    issuerPath: '/auth/v1',
    path: (id) => `/auth/v1/admin/users/${id}`,
    subject: SUPABASE,
    provider: 'twitter',
    linked: {
      ...supabaseUser,
      identities: [
        { provider: 'email', identity_data: { email: 'ada@example.org' }, created_at: CREATED },
        {
          provider: 'twitter',
          identity_data: { name: 'Ada', user_name: 'ada_tw' },
          last_sign_in_at: '2026-02-02T03:04:05Z',
          created_at: '2026-02-01T03:04:05.123456Z',
        },
      ],
    },
    handle: 'ada_tw',
    verifiedAt: '2026-02-01T03:04:05.123Z',
    unlinked: { ...supabaseUser, identities: [] },
    unknownUser: { status: 404, body: { code: 404, error_code: 'user_not_found' } },
    refused: { status: 401, body: { code: 401, error_code: 'no_authorization' } },
  },
  keycloak: {
    issuerPath: '/realms/harbour',
    path: (id) => `/admin/realms/harbour/users/${id}/federated-identity`,
    subject: '0e2f7d3c-8f0a-4a55-9d46-aa0000000001',
    provider: 'github',
    linked: [google, { identityProvider: 'github', userId: '42', userName: 'ada-gh' }],
    handle: 'ada-gh',
    unlinked: [google],
    unknownUser: { status: 404, body: { error: 'User not found' } },
    refused: { status: 401, body: { error: 'HTTP 401 Unauthorized' } },
  },
  auth0: {
    issuerPath: '/',
    path: (id) => `/api/v2/users/${encodeURIComponent(id)}`,
    subject: auth0User.user_id,
    provider: 'twitter',
    linked: {
      ...auth0User,
      identities: [
        { connection: 'Username-Password-Authentication', provider: 'auth0' },
        { connection: 'twitter', provider: 'twitter', profileData: { screen_name: 'ada_tw' } },
      ],
    },
    handle: 'ada_tw',
    unlinked: { ...auth0User, identities: [{ connection: 'Initial-Connection', provider: 'auth0' }] },
    unknownUser: { status: 404, body: { statusCode: 404, errorCode: 'inexistent_user' } },
    refused: { status: 403, body: { statusCode: 403, errorCode: 'insufficient_scope' } },
  },
  logto: {
    issuerPath: '/oidc',
    path: (id) => `/api/users/${id}`,
    subject: logtoUser.id,
    provider: 'x',
    linked: {
      ...logtoUser,
      identities: {
        google: { userId: '7', details: { email: 'ada@example.org', rawData: {} } },
        x: { userId: '42', details: { name: 'Ada', rawData: { data: { name: 'Ada', username: 'ada_x' } } } },
      },
    },
    handle: 'ada_x',
    unlinked: { ...logtoUser, identities: {} },
    unknownUser: { status: 404, body: { code: 'entity.not_found' } },
    refused: { status: 401, body: { code: 'auth.unauthorized' } },
  },
  zitadel: {
    issuerPath: '/',
    path: (id) => `/v2/users/${id}/links/_search`,
    method: 'POST',
    subject: '163840776835432705',
    provider: '218528353504723202',
    linked: {
      result: [
        { idpId: '218528353504723201', userId: '7', userName: 'ada@example.org' },
        { idpId: '218528353504723202', userId: '42', userName: 'ada-gh' },
      ],
    },
    handle: 'ada-gh',
    unlinked: { details: { timestamp: '2026-02-02T03:04:05.123Z' } },
    unknownUser: { status: 404, body: { code: 5, details: [] } },
    refused: { status: 403, body: { code: 7, details: [] } },
  },
  clerk: {
    issuerPath: '/',
    path: (id) => `/v1/users/${id}`,
    subject: clerkUser.id,
    provider: 'x',
    linked: {
      ...clerkUser,
      external_accounts: [
        { ...X, username: 'somebody_else', verification: { status: 'unverified' }, created_at: 1 },
        { ...X, username: 'ada_x', verification: { status: 'verified' }, created_at: 1769915045123 },
      ],
    },
    handle: 'ada_x',
    verifiedAt: '2026-02-01T03:04:05.123Z',
    unlinked: { ...clerkUser, external_accounts: [] },
    unknownUser: { status: 404, body: { errors: [{ code: 'resource_not_found' }] } },
    refused: { status: 401, body: { errors: [{ code: 'clerk_key_invalid' }] } },
  },
};
