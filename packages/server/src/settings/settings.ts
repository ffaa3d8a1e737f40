import { COMMON } from './common.ts';
import type { ValuesOf } from './environment.ts';
import { IN_PRODUCTION } from './in-production.ts';
import { RARE } from './rare.ts';
import { hostList, optional, setting, text, wholeNumber } from './values.ts';

/** Headings in docs/operating/settings.md and `.env.example`. */
export const GROUPS = [
  ['Required in production', IN_PRODUCTION],
  ['Common', COMMON],
  ['Rare', RARE],
] as const;

/** scripts/settings-docs.mjs writes both documents from this list. */
export const SETTINGS = { ...IN_PRODUCTION, ...COMMON, ...RARE };

const number = wholeNumber(0, 1_000_000_000);
const constant = (value: number) => setting(String(value), 'replaces a constant', number);
const derived = optional('replaces a derived limit', number);

/** Production rejects these. */
export const HOOKS = {
  /** `name:n` means the n-th time */
  FAILPOINT: optional('kills the process', text),
  /** `host=address:port,…` */
  DOMAIN_CHECK_TEST_HOSTS: setting('', 'exempts hosts from a security check', hostList),
  TEST_SEARCH_TIMEOUT_MS: constant(5_000),
  TEST_SESSION_IDLE_SECONDS: constant(86_400),
  TEST_SESSION_MAX_SECONDS: constant(14 * 86_400),
  /** more open pages poll */
  TEST_LIVE_CONNECTIONS: constant(1_000),
  TEST_LIVE_CONNECTIONS_PER_ADDRESS: constant(20),
  TEST_LIMIT_SCORE_ETCHES: constant(100_000),
  TEST_LIMIT_OPENINGS_PER_HOUR: constant(60),
  TEST_LIMIT_KEYS_PER_ACCOUNT: constant(100),
  TEST_LIMIT_FOLLOWS_PER_ACCOUNT: constant(5_000),
  TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: constant(10),
  TEST_LIMIT_MCP_PER_MINUTE: derived,
  TEST_LIMIT_CARDS_PER_MINUTE: derived,
  TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: derived,
} as const;

export const READ = { ...SETTINGS, ...HOOKS };

export type SettingName = keyof typeof SETTINGS;
export type Settings = ValuesOf<typeof READ>;
