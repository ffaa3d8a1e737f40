// Rules about settings that depend on each other.
import { isIP } from 'node:net';
import type { Environment } from './environment.ts';
import { isLoopback, isPublicHost, originOf } from './listen-address.ts';
import { TEST_SETTINGS, type SettingName, type Settings, SETTINGS } from './settings.ts';

type Pair = readonly [name: SettingName, other: SettingName, reason?: string];

const REQUIRED_WITH: readonly Pair[] = [
  ['SECRET_KEYS', 'DATABASE_URL', ': all processes on one database must share it (openssl rand -hex 32)'],
  ['RELAYER_PRIVATE_KEY', 'CHAIN_RPC_URL'],
  ['ATTESTATION_CONTRACT', 'CHAIN_RPC_URL'],
  ['SCHEMA_UID', 'CHAIN_RPC_URL'],
  ['TSA_CERTIFICATES', 'TSA_URLS', ': time stamps are checked with the certificates of the authorities'],
  ['TSA_URLS', 'TSA_CERTIFICATES'],
];

/** These settings have no effect without the other one. */
const ONLY_WITH: readonly Pair[] = [
  ['ATTESTATION_CONTRACT', 'CHAIN_RPC_URL'],
  ['SCHEMA_UID', 'CHAIN_RPC_URL'],
  ['RELAYER_PRIVATE_KEY', 'CHAIN_RPC_URL'],
  ['CHAIN_ID', 'CHAIN_RPC_URL'],
  ['CHAIN_READ_RPC_URL', 'CHAIN_RPC_URL'],
  ['IDENTITY_CLIENT_ID', 'IDENTITY_ISSUER'],
  ['IDENTITY_CLIENT_SECRET', 'IDENTITY_ISSUER'],
  ['IDENTITY_SOCIAL_CLAIM', 'IDENTITY_ISSUER'],
  ['IDENTITY_SOCIAL_VERIFIED_CLAIM', 'IDENTITY_ISSUER'],
];

export function checkCombinations(settings: Settings, problems: string[]): void {
  const refuse = (isWrong: boolean, problem: string): void => void (isWrong && problems.push(problem));
  const isSet = (name: SettingName): boolean =>
    settings[name] !== (SETTINGS[name] as { default?: string }).default;
  const production = settings.NODE_ENV === 'production';
  const host = new URL(settings.BASE_URL ?? originOf(settings.HOST, settings.PORT));

  for (const [name, other, reason = ''] of REQUIRED_WITH)
    refuse(isSet(other) && !isSet(name), `${name} is required with ${other}${reason}`);
  for (const [name, other] of ONLY_WITH)
    refuse(isSet(name) && !isSet(other), `${name} requires ${other}: set both, or unset ${name}`);
  refuse(
    isSet('DATABASE_READ_URL') && !isSet('DATABASE_URL'),
    'DATABASE_READ_URL requires DATABASE_URL, because the embedded database has no standbys: set DATABASE_URL to their primary, or unset DATABASE_READ_URL',
  );
  refuse(
    isSet('DRAND_URLS') && settings.DRAND_CHAIN === undefined,
    'DRAND_URLS requires a drand chain, but DRAND_CHAIN is off: set DRAND_CHAIN, or unset DRAND_URLS',
  );
  checkProcesses(settings, problems);
  checkIdentity(settings, problems);
  refuse(
    production && settings.IDENTITY_EMBEDDED === true && isSet('BASE_URL') && !isLoopback(host.hostname),
    'IDENTITY_EMBEDDED=true lets anyone sign in without a password and is rejected when NODE_ENV=production and BASE_URL is not loopback: set IDENTITY_ISSUER and IDENTITY_EMBEDDED=false',
  );
  refuse(
    production && host.protocol === 'http:' && isPublicHost(host.hostname),
    `BASE_URL must be https on a public host (${host.hostname}) when NODE_ENV=production: API keys and sessions would be sent unencrypted; serve https (docs/operating/proxy.md) and set BASE_URL=https://${host.hostname}`,
  );
  for (const range of settings.TRUST_PROXY)
    refuse(
      !isRange(range),
      `TRUST_PROXY must be address ranges (CIDR), \`loopback\` or \`uniquelocal\`, not \`${range}\``,
    );
}

export function refuseTestSettings(environment: Environment, settings: Settings, problems: string[]): void {
  if (settings.NODE_ENV !== 'production') return;
  for (const [name, { meaning }] of Object.entries(TEST_SETTINGS))
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
  if (issuer !== undefined) {
    if (settings.IDENTITY_EMBEDDED === true)
      problems.push('IDENTITY_EMBEDDED=true and IDENTITY_ISSUER are both set: keep one of them');
    const { protocol, hostname } = new URL(issuer);
    if (protocol === 'http:' && settings.NODE_ENV === 'production' && !isLoopback(hostname))
      problems.push('IDENTITY_ISSUER must be https when NODE_ENV=production: its keys verify sign-ins');
    if (settings.IDENTITY_CLIENT_SECRET !== undefined && settings.IDENTITY_CLIENT_ID?.web === undefined)
      problems.push('IDENTITY_CLIENT_ID is required with IDENTITY_CLIENT_SECRET');
  } else if (adapter !== 'userinfo') problems.push(`SOCIAL_ADAPTER=${adapter} requires IDENTITY_ISSUER`);
  for (const name of ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN'] as const) {
    const isUsed = adapter !== 'userinfo';
    if (isUsed && settings[name] === undefined)
      problems.push(`${name} is required with SOCIAL_ADAPTER=${adapter}`);
    if (!isUsed && settings[name] !== undefined)
      problems.push(
        `${name} requires a SOCIAL_ADAPTER other than userinfo: set SOCIAL_ADAPTER, or unset ${name}`,
      );
  }
}

function isRange(range: string): boolean {
  if (range === 'loopback' || range === 'uniquelocal') return true;
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
