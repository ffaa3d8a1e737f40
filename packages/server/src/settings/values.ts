// Parsers of settings, one for each kind of value.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type DrandChain, parseChainInfo, QUICKNET } from '@svc/protocol/timelock';
import { parsePolicy, type Policy, TlogError } from '@svc/protocol/tlog';
import { databaseUrls } from '../db/hosts.ts';

// Each function throws an Error that says what is accepted.

/** What a value may be, in JSON Schema: a text or the number that it is written as. */
interface ValueSchema {
  enum?: readonly string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
}
type Parser<T> = ((value: string) => T) & { schema?: ValueSchema };

export const text = (value: string): string => value;

export function wholeNumber(least: number, most: number): Parser<number> {
  const read = (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };
  return Object.assign(read, { schema: { pattern: '^\\d+$', minimum: least, maximum: most } });
}

export function matching<T>(pattern: RegExp, accepted: string, read: (value: string) => T): Parser<T> {
  const check = (value: string): T => {
    if (!pattern.test(value)) throw new Error(accepted);
    return read(value);
  };
  return Object.assign(check, { schema: { pattern: pattern.source } });
}

export function processCount(value: string): number {
  if (value === 'auto') return availableParallelism();
  if (!/^\d+$/.test(value) || Number(value) < 1 || Number(value) > 256)
    throw new Error('must be `auto` or a whole number from 1 to 256');
  return Number(value);
}

export function oneOf<const T extends string>(...values: T[]): Parser<T> {
  const read = (value: string): T => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}`);
    return value as T;
  };
  return Object.assign(read, { schema: { enum: values } });
}

const trueOrFalse = oneOf('true', 'false');
export const flag: Parser<boolean> = Object.assign((value: string) => trueOrFalse(value) === 'true', {
  schema: trueOrFalse.schema!,
});

export const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export function webUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  return value.replace(/\/+$/, '');
}

/** RFC 9116; an e-mail address becomes `mailto:`. */
export function contactUrl(value: string): string {
  const text = /^[^\s:/@]+@[^\s:/@]+$/.test(value) ? `mailto:${value}` : value;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'mailto:'].includes(url.protocol) || /\s/.test(text))
    throw new Error('must be an https: or mailto: URL');
  return text;
}

export function origin(value: string): string {
  const url = new URL(webUrl(value));
  if (url.pathname !== '/' || url.search || url.hash) throw new Error('must be an origin without a path');
  return url.origin;
}

export const origins = (value: string): string[] => list(value).map(origin);

export const hex = (bytes: number): Parser<`0x${string}`> =>
  matching(
    new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`),
    `must be 0x and ${bytes * 2} hex digits`,
    (value) => value.toLowerCase() as `0x${string}`,
  );

export function hostList(value: string): ReadonlyMap<string, { address: string; port: number }> {
  return new Map(
    list(value).map((item) => {
      const match = /^([a-z0-9.-]+)=(\[?[0-9a-f.:]+\]?):(\d{1,5})$/i.exec(item);
      if (!match) throw new Error('must be host=address:port, separated by commas');
      return [match[1]!.toLowerCase(), { address: match[2]!.replace(/[[\]]/g, ''), port: Number(match[3]) }];
    }),
  );
}

export function keyList(value: string): Buffer[] {
  const keys = list(value);
  if (keys.length === 0 || keys.some((key) => !/^[0-9a-fA-F]{64}$/.test(key))) {
    throw new Error('must be one or more keys of 64 hex digits, separated by commas');
  }
  return keys.map((key) => Buffer.from(key, 'hex'));
}

/** Accepts a name, a file with a chain's `/info` answer, or `off`. */
export function drandChain(value: string): DrandChain | undefined {
  if (value === 'off') return undefined;
  if (value === 'quicknet') return QUICKNET;
  const wanted =
    'must be `quicknet`, `off`, or a file with the answer of a drand chain at /<chain hash>/info';
  try {
    return parseChainInfo(JSON.parse(readFileSync(value, 'utf8')));
  } catch (error) {
    throw new Error(`${wanted}: ${(error as Error).message}`, { cause: error });
  }
}

/** Takes parameters out of a URL. The rest stays as written. */
function takeParameters<const Name extends string>(
  text: string,
  names: readonly Name[],
): { url: string; taken: Partial<Record<Name, string>> } {
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(text) ?? [];
  const taken: Partial<Record<Name, string>> = {};
  const others = query.split('&').filter((pair) => {
    const [[key, value] = []] = new URLSearchParams(pair);
    const name = names.find((one) => one === key);
    if (name === undefined) return pair !== '';
    if (taken[name] !== undefined) throw new Error(`has ${name} twice`);
    taken[name] = value;
    return false;
  });
  return { url: `${address}${others.length > 0 ? '?' : ''}${others.join('&')}${fragment}`, taken };
}

function readParameter<T>(name: string, text: string | undefined, read: (value: string) => T): T | undefined {
  try {
    return text === undefined ? undefined : read(text);
  } catch (error) {
    throw new Error(`has a wrong ${name}: it ${(error as Error).message}`, { cause: error });
  }
}

const readPoolSize = wholeNumber(2, 1_000);
const readPooler = oneOf('none', 'transaction');

/** PostgreSQL's programs reject the parameters of the pool, so `url` has none. */
export function postgresUrl(value: string, role: 'primary' | 'standby' = 'primary') {
  databaseUrls(value, role);
  const { url, taken } = takeParameters(value, ['pool_size', 'pooler']);
  return {
    url,
    poolSize: readParameter('pool_size', taken.pool_size, readPoolSize),
    pooler: readParameter('pooler', taken.pooler, readPooler),
  };
}

export function standbyUrl(value: string) {
  const { url, pooler, poolSize } = postgresUrl(value, 'standby');
  if (poolSize !== undefined) throw new Error('must have no pool_size: searches always use 4 connections');
  return { url, pooler };
}

export function redisUrl(value: string): string {
  if (!/^rediss?:\/\//.test(value) || !URL.canParse(value))
    throw new Error('must be a redis:// or rediss:// URL');
  return value;
}

export function webUrls(value: string): string[] {
  const urls = list(value).map(webUrl);
  if (urls.length === 0) throw new Error('must be one or more http or https URLs, separated by commas');
  return urls;
}

/** Accepts at most four, because each tree goes to all. A proof contains the URL, so its characters are limited. */
export function calendarUrls(value: string): string[] {
  const urls = webUrls(value);
  if (urls.length > 4 || !urls.every((url) => /^[A-Za-z0-9\-._/:]+$/.test(url)))
    throw new Error(
      'must be one to four http or https URLs, separated by commas, without query, credentials or characters other than letters, digits and -._/:',
    );
  return urls;
}

export function confirmations(value: string): number | 'safe' {
  return value === 'safe' ? 'safe' : wholeNumber(1, 10_000)(value);
}

export const onOff = matching(/^(true|false)$/, 'must be true or false', (value) => value === 'true');

/** Keeps the URL as written: some issuers' names end in a slash. */
export function issuerUrl(value: string) {
  webUrl(value);
  const { url, taken } = takeParameters(value, ['scope']);
  const { search, hash, username, password } = new URL(url);
  if (search || hash || username || password)
    throw new Error('must be an issuer: a URL without fragment, credentials and a query other than `scope`');
  return { url, scopes: readParameter('scope', taken.scope, scopes) };
}

function scopes(value: string): string {
  const names = value.split(/\s+/).filter((name) => name !== '');
  if (!names.includes('openid')) throw new Error('must contain `openid`; separate scopes with `+`');
  return names.join(' ');
}

/** The client of the pages, then the one of `svc login`. */
export function clientIds(value: string): { web: string | undefined; cli: string | undefined } {
  const [web, cli, ...more] = value.split(',').map((id) => id.trim() || undefined);
  if (more.length > 0) throw new Error('must be a client id, or two separated by a comma');
  return { web, cli };
}

const readAdapter = oneOf('userinfo', 'supabase', 'keycloak', 'auth0', 'logto', 'zitadel', 'clerk');

export function socialAdapter(value: string) {
  const [, adapter = value, root] = /^([^=]*)=(.*)$/s.exec(value) ?? [];
  const name = readAdapter(adapter);
  if (root !== undefined && name === 'userinfo') throw new Error('must have no URL with `userinfo`');
  return { name, apiUrl: root === undefined ? undefined : webUrl(root) };
}

export const gwei = matching(/^(?=.*[1-9])\d+(\.\d+)?$/, 'must be a number of gwei above 0', Number);

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

export function certificateFile(path: string): string {
  const pem = contentOf(path);
  const found = pem.match(CERTIFICATE) ?? [];
  try {
    for (const one of found) new X509Certificate(one);
  } catch {
    throw new Error('must be a file of valid certificates; one of them cannot be parsed');
  }
  if (found.length === 0)
    throw new Error('must be a file with certificates in PEM (-----BEGIN CERTIFICATE-----)');
  return pem;
}

export function policyFile(path: string): Policy {
  const text = contentOf(path);
  try {
    const policy = parsePolicy(text);
    const silent = policy.witnesses.find(({ url }) => url === null);
    if (silent !== undefined) throw new TlogError(`the witness ${silent.name} has no URL`);
    if (policy.witnesses.length === 0) throw new TlogError('it names no witness');
    return policy;
  } catch (error) {
    throw new Error(`must be a policy file (C2SP tlog-policy): ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`must be a readable file (${(error as NodeJS.ErrnoException).code})`, {
      cause: error,
    });
  }
}

export interface Setting<T> {
  default: string | undefined;
  meaning: string;
  example?: string;
  /** accepts `<NAME>_FILE` and is never shown */
  secret?: true;
  /** @throws Error that says what is accepted */
  read: Parser<T>;
}

export const setting = <T>(
  defaultText: string,
  meaning: string,
  read: Parser<T>,
  example?: string,
): Setting<T> => ({ default: defaultText, meaning, read, ...(example && { example }) });

export const optional = <T>(meaning: string, read: Parser<T>, example?: string): Setting<T | undefined> => ({
  default: undefined,
  meaning,
  read,
  ...(example && { example }),
});

export const secret = <T>(meaning: string, read: Parser<T>, example?: string): Setting<T | undefined> => ({
  ...optional(meaning, read, example),
  secret: true,
});

export const limit = (value: number, meaning: string): Setting<number> =>
  setting(String(value), meaning, wholeNumber(0, 1_000_000_000));
