import { dirname } from 'node:path';
import leven from 'leven';
import type { Config } from './config.ts';
import type { Environment } from './environment.ts';
import { isLoopback, isPublicHost } from './listen-address.ts';
import { constantSettings, replacedSettings } from './removed.ts';
import { type SettingName, SETTINGS } from './settings.ts';
import type { Setting } from './values.ts';

export function settingWarnings(environment: Environment, config: Config): string[] {
  const { baseUrl, host, production, identity } = config;
  const warnings = [...constantSettings(environment), ...mistypedSettings(environment).map(mistypedText)];
  if (baseUrl?.startsWith('http:') && isPublicHost(new URL(baseUrl).hostname))
    warnings.push(
      'BASE_URL is http on a public host: API keys and sessions are sent unencrypted, and NODE_ENV=production rejects it; use https',
    );
  if (production && !isLoopback(host) && !environment['BASE_URL'])
    warnings.push(
      `BASE_URL is not set: every URL that the service writes starts with ${baseUrl ?? 'http://127.0.0.1'}; set it to the public origin, https://<host>`,
    );
  if (identity.issuer !== undefined && identity.clientId === undefined)
    warnings.push(
      'IDENTITY_CLIENT_ID is not set: the API accepts tokens of IDENTITY_ISSUER, but people cannot sign in on the pages; register a client there (code flow with PKCE) and set it',
    );
  return warnings;
}

interface SettingInForce {
  name: string;
  /** null if unset. A secret shows only whether it is set, a URL no credentials. */
  value: string | null;
  from: 'environment' | 'file' | 'default';
}

const MASK = '***';

export function settingsInForce(environment: Environment, config: Config): SettingInForce[] {
  const derived = whatFollows(config);
  return Object.entries(SETTINGS).map(([name, setting]): SettingInForce => {
    if (environment[name])
      return { name, value: shown(environment[name], setting.secret), from: 'environment' };
    if (setting.secret && environment[`${name}_FILE`]) return { name, value: MASK, from: 'file' };
    const value = setting.default ?? derived[name as SettingName];
    return { name, value: value === undefined ? null : String(value), from: 'default' };
  });
}

function whatFollows(config: Config): Partial<Record<SettingName, string | number | boolean | undefined>> {
  return {
    BASE_URL: config.baseUrl,
    LEDGER_DIR: dirname(config.erasureLedger),
    ANCHOR_INTERVAL_SECONDS: config.chain.intervalSeconds,
    ANCHOR_CONFIRMATIONS: config.chain.confirmations,
    IDENTITY_EMBEDDED: config.identity.embedded,
  };
}

function shown(text: string, secret: true | undefined): string {
  return secret ? MASK : text.trim().replace(/(\/\/)[^/@\s]*@/g, `$1${MASK}@`);
}

interface Mistyped {
  name: string;
  meant: string;
}

/** Shorter names are too similar to other programs' variables. */
const LEAST_LENGTH = 6;

const KNOWN = Object.entries(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [name, `${name}_FILE`] : [name],
);

/** The most similar setting and the number of different letters. */
function nearestSetting(name: string): { meant: string; far: number } {
  const all = KNOWN.map((meant) => ({ meant, far: leven(name.toUpperCase(), meant) }));
  return all.reduce((best, one) => (one.far < best.far ? one : best));
}

/** Reports without rejecting, because the environment also belongs to other programs. */
export function mistypedSettings(environment: Environment): Mistyped[] {
  const known = new Set(KNOWN);
  return Object.keys(environment)
    .filter((name) => name.length >= LEAST_LENGTH && environment[name] && !known.has(name))
    .flatMap((name) => {
      const { meant, far } = nearestSetting(name);
      return far <= (name.length < 12 ? 1 : 2) ? [{ name, meant }] : [];
    });
}

export function mistypedText({ name, meant }: Mistyped): string {
  return `${name} is no setting and has no effect: did you mean ${meant}?`;
}

interface ExplainedSetting extends SettingInForce {
  meaning: string;
  default: string | null;
  example: string | null;
  secret: boolean;
  /** in JSON Schema, where a pattern or a list says it */
  accepted: Setting<unknown>['read']['schema'] | null;
}

/** Reads no other setting, so that it works where the service does not start. @throws Error with a suggestion */
export function explainSetting(given: string, environment: Environment): ExplainedSetting {
  const [name, setting] = Object.entries<Setting<unknown>>(SETTINGS).find(
    ([one, { secret }]) => one === given || (secret && `${one}_FILE` === given),
  ) ?? [undefined, undefined];
  if (name === undefined) {
    const [replaced] = [...replacedSettings({ [given]: '1' }), ...constantSettings({ [given]: '1' })];
    throw new Error(replaced ?? `${given} is no setting: did you mean ${nearestSetting(given).meant}?`);
  }
  const { default: fallback = null, example = null, meaning, secret, read } = setting;
  const isFile = secret === true && Boolean(environment[`${name}_FILE`]);
  const from = environment[name] ? 'environment' : isFile ? 'file' : 'default';
  const value = from === 'default' ? fallback : shown(environment[name] ?? '', secret);
  const accepted = read.schema ?? null;
  return { name, meaning, value, from, default: fallback, example, secret: secret === true, accepted };
}
