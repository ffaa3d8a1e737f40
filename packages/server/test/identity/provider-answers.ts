/** The answers of each identity provider's public documentation, with our names and ids. */
export interface ProviderAnswers {
  issuerPath: string;
  path: (user: string) => string;
  method: 'GET' | 'POST';
  subject: string;
  provider: string;
  linked: unknown;
  handle: string;
  /** null: the provider stores no time */
  verifiedAt: string | null;
  unlinked: unknown;
  unknownUser: { status: number; body: unknown };
  refused: { status: number; body: unknown };
}

const user = {
  supabase: {
    id: '11111111-2222-4333-8444-555555555555',
    aud: 'authenticated',
    role: 'authenticated',
    email: 'ada@example.org',
    email_confirmed_at: '2026-01-02T03:04:05.123456Z',
    app_metadata: { provider: 'email', providers: ['email', 'twitter'] },
    user_metadata: { user_name: 'not_this_one' },
    created_at: '2026-01-02T03:04:05.123456Z',
    updated_at: '2026-02-02T03:04:05.123456Z',
  },
  auth0: {
    email: 'ada@example.org',
    email_verified: true,
    user_id: 'auth0|5457edea1b8f33391a000004',
    created_at: '2026-01-02T03:04:05.123Z',
    updated_at: '2026-02-02T03:04:05.123Z',
    nickname: 'not_this_one',
    name: 'ada@example.org',
    last_ip: '192.0.2.1',
    logins_count: 3,
  },
  logto: {
    id: 'a1b2c3d4e5f6',
    username: 'not_this_one',
    primaryEmail: 'ada@example.org',
    primaryPhone: null,
    name: 'Ada',
    avatar: null,
    customData: {},
    lastSignInAt: 1767323045123,
    createdAt: 1767323045123,
    applicationId: 'app',
    isSuspended: false,
  },
  clerk: {
    id: 'user_2abcdefghijklmnopqrstuvwxyz',
    object: 'user',
    username: 'not_this_one',
    email_addresses: [],
    phone_numbers: [],
    web3_wallets: [],
    created_at: 1767323045123,
    updated_at: 1767323045123,
  },
};

const clerkAccount = (fields: object) => ({
  object: 'external_account',
  id: 'eac_1',
  identification_id: 'idn_1',
  provider_user_id: '42',
  approved_scopes: 'users.read',
  email_address: 'ada@example.org',
  first_name: 'Ada',
  last_name: '',
  label: null,
  public_metadata: {},
  updated_at: 1767323045999,
  ...fields,
});

export const PROVIDERS: Record<
  'supabase' | 'keycloak' | 'auth0' | 'logto' | 'zitadel' | 'clerk',
  ProviderAnswers
> = {
  supabase: {
    issuerPath: '/auth/v1',
    path: (id) => `/auth/v1/admin/users/${id}`,
    method: 'GET',
    subject: user.supabase.id,
    provider: 'twitter',
    linked: {
      ...user.supabase,
      identities: [
        {
          identity_id: '1',
          id: user.supabase.id,
          user_id: user.supabase.id,
          identity_data: { email: 'ada@example.org', sub: user.supabase.id },
          provider: 'email',
          created_at: '2026-01-02T03:04:05.123456Z',
        },
        {
          identity_id: '2',
          id: '42',
          user_id: user.supabase.id,
          identity_data: { name: 'Ada', user_name: 'ada_tw', preferred_username: 'ada_tw', sub: '42' },
          provider: 'twitter',
          last_sign_in_at: '2026-02-02T03:04:05.123456Z',
          created_at: '2026-02-01T03:04:05.123456Z',
          updated_at: '2026-02-02T03:04:05.123456Z',
        },
      ],
    },
    handle: 'ada_tw',
    verifiedAt: '2026-02-01T03:04:05.123Z',
    unlinked: { ...user.supabase, identities: [] },
    unknownUser: { status: 404, body: { code: 404, error_code: 'user_not_found', msg: 'User not found' } },
    refused: {
      status: 401,
      body: { code: 401, error_code: 'no_authorization', msg: 'This endpoint requires a Bearer token' },
    },
  },
  keycloak: {
    issuerPath: '/realms/harbour',
    path: (id) => `/admin/realms/harbour/users/${id}/federated-identity`,
    method: 'GET',
    subject: '0e2f7d3c-8f0a-4a55-9d46-aa0000000001',
    provider: 'github',
    linked: [
      { identityProvider: 'google', userId: '7', userName: 'ada@example.org' },
      { identityProvider: 'github', userId: '42', userName: 'ada-gh' },
    ],
    handle: 'ada-gh',
    verifiedAt: null,
    unlinked: [{ identityProvider: 'google', userId: '7', userName: 'ada@example.org' }],
    unknownUser: {
      status: 404,
      body: {
        error: 'User not found',
        error_description: 'For more on this error consult the server log.',
      },
    },
    refused: { status: 401, body: { error: 'HTTP 401 Unauthorized' } },
  },
  auth0: {
    issuerPath: '/',
    path: (id) => `/api/v2/users/${encodeURIComponent(id)}`,
    method: 'GET',
    subject: user.auth0.user_id,
    provider: 'twitter',
    linked: {
      ...user.auth0,
      identities: [
        {
          connection: 'Username-Password-Authentication',
          user_id: '5457edea1b8f33391a000004',
          provider: 'auth0',
          isSocial: false,
        },
        {
          profileData: { name: 'Ada', screen_name: 'ada_tw', nickname: 'Ada' },
          connection: 'twitter',
          user_id: '42',
          provider: 'twitter',
          isSocial: true,
        },
      ],
    },
    handle: 'ada_tw',
    verifiedAt: null,
    unlinked: {
      ...user.auth0,
      identities: [{ connection: 'Initial-Connection', user_id: '1', provider: 'auth0', isSocial: false }],
    },
    unknownUser: {
      status: 404,
      body: {
        statusCode: 404,
        error: 'Not Found',
        message: 'The user does not exist.',
        errorCode: 'inexistent_user',
      },
    },
    refused: {
      status: 403,
      body: {
        statusCode: 403,
        error: 'Forbidden',
        message: 'Insufficient scope, expected any of: read:users',
        errorCode: 'insufficient_scope',
      },
    },
  },
  logto: {
    issuerPath: '/oidc',
    path: (id) => `/api/users/${id}`,
    method: 'GET',
    subject: user.logto.id,
    provider: 'x',
    linked: {
      ...user.logto,
      identities: {
        google: { userId: '7', details: { id: '7', email: 'ada@example.org', rawData: {} } },
        x: {
          userId: '42',
          details: {
            id: '42',
            name: 'Ada',
            rawData: { data: { id: '42', name: 'Ada', username: 'ada_x' } },
          },
        },
      },
    },
    handle: 'ada_x',
    verifiedAt: null,
    unlinked: { ...user.logto, identities: {} },
    unknownUser: { status: 404, body: { code: 'entity.not_found', message: 'The resource does not exist.' } },
    refused: { status: 401, body: { code: 'auth.unauthorized', message: 'Unauthorized. Please check.' } },
  },
  zitadel: {
    issuerPath: '/',
    path: (id) => `/v2/users/${id}/links/_search`,
    method: 'POST',
    subject: '163840776835432705',
    provider: '218528353504723202',
    linked: {
      details: { totalResult: '2', processedSequence: '2', timestamp: '2026-02-02T03:04:05.123Z' },
      result: [
        { idpId: '218528353504723201', userId: '7', userName: 'ada@example.org' },
        { idpId: '218528353504723202', userId: '42', userName: 'ada-gh' },
      ],
    },
    handle: 'ada-gh',
    verifiedAt: null,
    unlinked: { details: { timestamp: '2026-02-02T03:04:05.123Z' } },
    unknownUser: {
      status: 404,
      body: { code: 5, message: 'User could not be found (QUERY-Dfbg2)', details: [] },
    },
    refused: { status: 403, body: { code: 7, message: 'membership not found (AUTHZ-cdgFk)', details: [] } },
  },
  clerk: {
    issuerPath: '/',
    path: (id) => `/v1/users/${id}`,
    method: 'GET',
    subject: user.clerk.id,
    provider: 'x',
    linked: {
      ...user.clerk,
      external_accounts: [
        clerkAccount({
          provider: 'oauth_x',
          username: 'somebody_else',
          verification: { status: 'unverified', strategy: 'oauth_x', attempts: null, expire_at: 1 },
          created_at: 1767323045000,
        }),
        clerkAccount({
          provider: 'oauth_x',
          username: 'ada_x',
          verification: { status: 'verified', strategy: 'oauth_x', attempts: null, expire_at: 1 },
          created_at: 1769915045123,
        }),
      ],
    },
    handle: 'ada_x',
    verifiedAt: '2026-02-01T03:04:05.123Z',
    unlinked: { ...user.clerk, external_accounts: [] },
    unknownUser: {
      status: 404,
      body: {
        errors: [
          {
            message: 'not found',
            long_message: 'No user was found with id user_x',
            code: 'resource_not_found',
          },
        ],
        clerk_trace_id: 'trace',
      },
    },
    refused: {
      status: 401,
      body: {
        errors: [
          {
            message: 'The provided Clerk Secret Key is invalid.',
            long_message: 'Make sure that your Clerk Secret Key is correct.',
            code: 'clerk_key_invalid',
          },
        ],
      },
    },
  },
};
