// Settings of earlier versions, with what replaces them.
import type { Environment } from './environment.ts';

const LEDGERS = 'set LEDGER_DIR to the folder of both ledgers, erasures.jsonl and revocations.jsonl';

const REPLACED: Readonly<Record<string, string>> = {
  ERASURE_LEDGER: LEDGERS,
  REVOCATION_LEDGER: LEDGERS,
  DATABASE_POOL_SIZE: 'add ?pool_size=<number> to DATABASE_URL',
  DATABASE_POOLER: 'add ?pooler=transaction to DATABASE_URL if it names a pooler in transaction mode',
  IDENTITY_SCOPES:
    'add ?scope=openid+profile+<scope> to IDENTITY_ISSUER if it needs more than openid and profile',
  IDENTITY_CLI_CLIENT_ID: 'append it to IDENTITY_CLIENT_ID after a comma',
  SOCIAL_API_URL: 'set SOCIAL_ADAPTER=<name>=<URL>',
  WEBHOOKS_ENABLED: 'create a file webhooks-off in DATA_DIR to turn webhooks off',
  SITE_NOTICE: 'write the line into the file notice.txt in DATA_DIR',
};

const CONSTANT: Readonly<Record<string, string>> = {
  DATABASE_READ_MAX_AGE_SECONDS: 'a standby may always be 5 seconds behind',
  SEARCH_POOL_SIZE: 'searches always use 4 connections per process',
  SEARCH_TIMEOUT_MS: 'a search always ends after 5,000 ms',
  SESSION_IDLE_SECONDS: 'a session always ends after a day without use',
  SESSION_MAX_SECONDS: 'a session always ends after 14 days',
  LIVE_CONNECTIONS: 'a process always updates at most 1,000 open pages',
  LIVE_CONNECTIONS_PER_ADDRESS: 'an address may always have 20 open pages with updates',
  OTEL_SERVICE_NAME: 'the name in traces is always commitment-service',
  LIMIT_CHAIN_READS_PER_MINUTE: 'it is twice LIMIT_RPC_PER_MINUTE',
  LIMIT_SCORE_ETCHES: 'a score always covers at most 100,000 etches',
  LIMIT_MCP_PER_MINUTE: 'it is five times LIMIT_KEY_PER_MINUTE',
  LIMIT_CARDS_PER_MINUTE: 'it is LIMIT_ANON_PER_MINUTE',
  LIMIT_OPENINGS_PER_HOUR: 'an account may always have 60 openings an hour',
  LIMIT_FAILED_REGISTRATIONS_PER_HOUR: 'it is ten times LIMIT_REGISTRATIONS_PER_HOUR',
  LIMIT_KEYS_PER_ACCOUNT: 'an account may always have 100 API keys',
  LIMIT_FOLLOWS_PER_ACCOUNT: 'an account may always follow 5,000 targets',
  EVENTS_KEPT_DAYS: 'events and the webhook log are always stored for 90 days',
  LIMIT_WEBHOOKS_PER_ACCOUNT:
    'an account may always have 10 webhooks (a file webhooks-off in DATA_DIR turns webhooks off)',
};

const among = (names: Readonly<Record<string, string>>, environment: Environment): [string, string][] =>
  Object.entries(names).filter(([name]) => environment[name]);

/** These stop the start, because their values matter. */
export const replacedSettings = (environment: Environment): string[] =>
  among(REPLACED, environment).map(([name, instead]) => `${name} was replaced: ${instead}`);

/** These have no effect. */
export const constantSettings = (environment: Environment): string[] =>
  among(CONSTANT, environment).map(
    ([name, instead]) => `${name} was removed and has no effect: ${instead}; unset it`,
  );
