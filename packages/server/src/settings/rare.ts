import {
  drandChain,
  flag,
  limit,
  list,
  oneOf,
  onOff,
  optional,
  origins,
  secret,
  setting,
  socialAdapter,
  standbyUrl,
  text,
  webUrl,
  webUrls,
  wholeNumber,
} from './values.ts';

export const RARE = {
  DATABASE_READ_URL: secret(
    'connection string of the standbys of DATABASE_URL (`host:port,host:port`); one of them answers searches, lists, the feed and the first page; `pooler` is that of DATABASE_URL unless given; unset: the primary does',
    standbyUrl,
  ),
  CHAIN_READ_RPC_URL: secret(
    'JSON-RPC endpoints for requests of readers (/rpc, /verify), tried in order; unset: CHAIN_RPC_URL',
    webUrls,
  ),
  DRAND_CHAIN: setting(
    'quicknet',
    'drand chain that openings and blind seals are encrypted to: `quicknet`, a file with the answer of its /<chain hash>/info, or `off` to have neither',
    drandChain,
  ),
  DEVNET_PORT: setting(
    '8545',
    'port of the embedded anvil (loopback only); a free port if this one is in use',
    wholeNumber(0, 65_535),
  ),
  CHAIN_PUBLIC_RPC_URL: optional(
    'JSON-RPC endpoint that the service publishes to readers; default <BASE_URL>/rpc',
    webUrl,
  ),
  ANCHOR_SCHEME: setting(
    'tree-v2',
    'how hashes are attested: `tree-v2`, `tree-v1` or `single`',
    oneOf('tree-v2', 'tree-v1', 'single'),
  ),
  IDENTITY_EMBEDDED: optional(
    'whether the embedded issuer runs, which signs people in without a password; default `true` on loopback outside production; in production rejected with a `BASE_URL` that is not loopback',
    onOff,
  ),
  SOCIAL_ADAPTER: setting(
    'userinfo',
    "how the linked social identity is read: `userinfo` uses the caller's token; an administrator's token is used for `supabase`, `keycloak`, `auth0`, `logto`, `zitadel` or `clerk`; `<name>=<URL>` names the root of the administrator's API, which is otherwise derived from IDENTITY_ISSUER (`clerk`: https://api.clerk.com)",
    socialAdapter,
  ),
  SOCIAL_PROVIDER: optional(
    "the social provider's name at the identity provider; required unless SOCIAL_ADAPTER is `userinfo`",
    text,
  ),
  SOCIAL_ADMIN_TOKEN: secret("the administrator's token; required unless SOCIAL_ADAPTER is `userinfo`", text),
  IDENTITY_SOCIAL_CLAIM: setting('social_handle', 'claim with the social handle (`userinfo`)', text),
  IDENTITY_SOCIAL_VERIFIED_CLAIM: setting(
    'social_verified_at',
    'claim with the time of its verification (`userinfo`); a handle without a time counts as verified now',
    text,
  ),
  MCP_ORIGINS: setting(
    '',
    'further origins whose web pages may call /mcp, besides BASE_URL and loopback (`https://host`, comma-separated)',
    origins,
  ),
  GUIDE_ENABLED: setting('false', 'whether the guide for testers is shown (staging)', flag),
  GUIDE_READERS: setting('', 'usernames or user ids that may read the answers of all testers', list),
  LIMIT_CHALLENGES_PER_DAY: limit(20, 'challenges a day per account'),
  LIMIT_REGISTRATIONS_PER_HOUR: limit(
    10,
    'agent registrations an hour per address (ten times as many may fail), and as many of MCP clients at the embedded issuer',
  ),
  LIMIT_GUIDE_PER_HOUR: limit(30, 'signed-out guide answers an hour per address'),
  MIN_REVEAL_LEAD_SECONDS: limit(300, 'minimum time until `reveal_at`, in seconds'),
} as const;
