import { isIP } from 'node:net';
import type { Environment } from './environment.ts';
import { isLoopback, isPublicHost, originOf } from './listen-address.ts';
import { HOOKS, type SettingName, type Settings, SETTINGS } from './settings.ts';

export function checkTogether(settings: Settings, problems: string[]): void {
  const needs = (condition: unknown, name: SettingName, reason: string): void => {
    if (condition && settings[name] === undefined) problems.push(`${name} is required ${reason}`);
  };
  needs(
    settings.DATABASE_URL,
    'SECRET_KEYS',
    'with DATABASE_URL: all processes on one database must share it (openssl rand -hex 32)',
  );
  if (settings.DATABASE_READ_URL !== undefined && settings.DATABASE_URL === undefined)
    problems.push(
      'DATABASE_READ_URL requires DATABASE_URL, because the embedded database has no standbys: set DATABASE_URL to their primary, or unset DATABASE_READ_URL',
    );
  checkProcesses(settings, problems);
  for (const name of ['RELAYER_PRIVATE_KEY', 'ATTESTATION_CONTRACT', 'SCHEMA_UID'] as const)
    needs(settings.CHAIN_RPC_URL, name, 'with CHAIN_RPC_URL');
  needs(
    settings.TSA_URLS,
    'TSA_CERTIFICATES',
    'with TSA_URLS: time stamps are checked with the certificates of the authorities',
  );
  needs(settings.TSA_CERTIFICATES, 'TSA_URLS', 'with TSA_CERTIFICATES');
  if (settings.DRAND_URLS !== undefined && settings.DRAND_CHAIN === undefined)
    problems.push(
      'DRAND_URLS requires a drand chain, but DRAND_CHAIN is off: set DRAND_CHAIN, or unset DRAND_URLS',
    );
  onlyWith('CHAIN_RPC_URL', settings, problems, [
    'ATTESTATION_CONTRACT',
    'SCHEMA_UID',
    'RELAYER_PRIVATE_KEY',
    'CHAIN_ID',
    'CHAIN_READ_RPC_URL',
  ]);
  checkIdentity(settings, problems);
  const { IDENTITY_EMBEDDED: isEmbedded, BASE_URL: baseUrl } = settings;
  const production = settings.NODE_ENV === 'production';
  const isReached = baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname);
  if (isEmbedded === true && isReached && production)
    problems.push(
      'IDENTITY_EMBEDDED=true lets anyone sign in without a password and is rejected when NODE_ENV=production and BASE_URL is not loopback: set IDENTITY_ISSUER and IDENTITY_EMBEDDED=false',
    );
  const { protocol, hostname } = new URL(baseUrl ?? originOf(settings.HOST, settings.PORT));
  if (production && protocol === 'http:' && isPublicHost(hostname))
    problems.push(
      `BASE_URL must be https on a public host (${hostname}) when NODE_ENV=production: API keys and sessions would be sent unencrypted; serve https (docs/operating/proxy.md) and set BASE_URL=https://${hostname}`,
    );
  for (const range of settings.TRUST_PROXY)
    if (!isRange(range))
      problems.push(
        `TRUST_PROXY must be address ranges (CIDR), \`loopback\` or \`uniquelocal\`, not \`${range}\``,
      );
}

/** These settings have no effect without the other one. */
function onlyWith(
  other: 'CHAIN_RPC_URL' | 'IDENTITY_ISSUER',
  settings: Settings,
  problems: string[],
  names: readonly SettingName[],
): void {
  if (settings[other] !== undefined) return;
  for (const name of names) {
    const unset = (SETTINGS[name] as { default?: string }).default;
    if (settings[name] !== unset) problems.push(`${name} requires ${other}: set both, or unset ${name}`);
  }
}

export function checkHooks(environment: Environment, settings: Settings, problems: string[]): void {
  if (settings.NODE_ENV !== 'production') return;
  for (const [name, { meaning }] of Object.entries(HOOKS))
    if (environment[name])
      problems.push(`${name} ${meaning} and is rejected when NODE_ENV=production: unset it`);
}

/** Several processes cannot share embedded parts. */
function checkProcesses(settings: Settings, problems: string[]): void {
  if (settings.PROCESSES === 1) return;
  const embedded = (name: SettingName, what: string, instead: string): void =>
    void problems.push(
      `PROCESSES=${settings.PROCESSES} requires ${name}, because processes cannot share the embedded ${what}: ${instead}, or set PROCESSES=1`,
    );
  if (settings.DATABASE_URL === undefined)
    embedded('DATABASE_URL', 'database', 'set it to a PostgreSQL server');
  if (settings.CHAIN_RPC_URL === undefined)
    embedded('CHAIN_RPC_URL', 'chain', 'set it to an endpoint of a chain');
  if (settings.IDENTITY_EMBEDDED === true)
    embedded('IDENTITY_ISSUER', 'issuer', 'set it to an OpenID Connect issuer, set IDENTITY_EMBEDDED=false');
}

function checkIdentity(settings: Settings, problems: string[]): void {
  const issuer = settings.IDENTITY_ISSUER?.url;
  const { name: adapter } = settings.SOCIAL_ADAPTER;
  onlyWith('IDENTITY_ISSUER', settings, problems, [
    'IDENTITY_CLIENT_ID',
    'IDENTITY_CLIENT_SECRET',
    'IDENTITY_SOCIAL_CLAIM',
    'IDENTITY_SOCIAL_VERIFIED_CLAIM',
  ]);
  if (issuer === undefined) {
    if (adapter !== 'userinfo') problems.push(`SOCIAL_ADAPTER=${adapter} requires IDENTITY_ISSUER`);
  } else {
    if (settings.IDENTITY_EMBEDDED === true)
      problems.push('IDENTITY_EMBEDDED=true and IDENTITY_ISSUER are both set: keep one of them');
    const { protocol, hostname } = new URL(issuer);
    if (protocol === 'http:' && settings.NODE_ENV === 'production' && !isLoopback(hostname))
      problems.push('IDENTITY_ISSUER must be https when NODE_ENV=production: its keys verify sign-ins');
    if (settings.IDENTITY_CLIENT_SECRET !== undefined && settings.IDENTITY_CLIENT_ID?.web === undefined)
      problems.push('IDENTITY_CLIENT_ID is required with IDENTITY_CLIENT_SECRET');
  }
  const social = ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN'] as const;
  if (adapter !== 'userinfo') {
    for (const name of social)
      if (settings[name] === undefined) problems.push(`${name} is required with SOCIAL_ADAPTER=${adapter}`);
    return;
  }
  for (const name of social)
    if (settings[name] !== undefined)
      problems.push(
        `${name} requires a SOCIAL_ADAPTER other than userinfo: set SOCIAL_ADAPTER, or unset ${name}`,
      );
}

function isRange(range: string): boolean {
  if (range === 'loopback' || range === 'uniquelocal') return true;
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
