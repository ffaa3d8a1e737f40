import {
  clientIds,
  hex,
  issuerUrl,
  keyList,
  list,
  oneOf,
  optional,
  origin,
  postgresUrl,
  secret,
  setting,
  text,
  webUrls,
} from './values.ts';

export const IN_PRODUCTION = {
  NODE_ENV: setting(
    'development',
    '`production`, `development` or `test`; `production` rejects settings that are only for trials',
    oneOf('production', 'development', 'test'),
    'production',
  ),
  BASE_URL: optional(
    'public origin of every URL that the service writes; default http://<HOST>:<PORT>',
    origin,
    'https://svc.example.org',
  ),
  DATABASE_URL: secret(
    'PostgreSQL connection string; with several servers (`host:port,host:port`) the writable one is used; `?pool_size=` is the maximum number of connections per process (10), and `?pooler=transaction` avoids session settings and prepared statements for a pooler in transaction mode (any version of PgBouncer); unset: PGlite in DATA_DIR',
    postgresUrl,
    'postgres://svc:password@127.0.0.1:5432/svc',
  ),
  SECRET_KEYS: secret(
    'encryption keys of 64 hex digits: the first encrypts, all decrypt; required with DATABASE_URL, otherwise generated in DATA_DIR',
    keyList,
    '64 hex digits, from: openssl rand -hex 32',
  ),
  CHAIN_RPC_URL: secret(
    'JSON-RPC endpoints of the chain, tried in order; unset: embedded anvil',
    webUrls,
    'https://rpc.example.org/v1/key',
  ),
  CHAIN_NAME: setting('devnet', 'name of the chain in receipts', text, 'base'),
  ATTESTATION_CONTRACT: optional(
    'address of the EAS contract on the chain; required with CHAIN_RPC_URL',
    hex(20),
    '0x4200000000000000000000000000000000000021',
  ),
  SCHEMA_UID: optional('UID of the schema registered there; required with CHAIN_RPC_URL', hex(32), '0x…'),
  RELAYER_PRIVATE_KEY: secret(
    'private key of the account that attests; required with CHAIN_RPC_URL',
    hex(32),
    '0x…',
  ),
  IDENTITY_ISSUER: optional(
    'OpenID Connect issuer whose session tokens are accepted; `?scope=` replaces the requested scopes `openid profile`; unset: the embedded issuer',
    issuerUrl,
    'https://id.example.org',
  ),
  IDENTITY_CLIENT_ID: optional(
    'client id of the web sign-in at IDENTITY_ISSUER (code flow with PKCE); after a comma that of `svc login`, default `svc-cli` (a public client, loopback redirect `/callback`)',
    clientIds,
    'svc-web',
  ),
  TRUST_PROXY: setting(
    '',
    'address ranges of proxies whose X-Forwarded-For is trusted (CIDR, `loopback`, `uniquelocal`)',
    list,
    '127.0.0.1/32',
  ),
} as const;
