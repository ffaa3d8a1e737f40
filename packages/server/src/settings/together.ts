import { isIP } from 'node:net';
import { isLoopback, isPublicHost, originOf } from './listen-address.ts';
import { type SettingName, type Settings, SETTINGS } from './settings.ts';

/** What settings ask of each other. */
export function checkTogether(settings: Settings, problems: string[]): void {
  const needs = (condition: unknown, name: SettingName, reason: string): void => {
    if (condition && settings[name] === undefined) problems.push(`${name} is required ${reason}`);
  };
  needs(
    settings.DATABASE_URL,
    'SECRET_KEYS',
    'with DATABASE_URL: all processes on one database must share it (openssl rand -hex 32)',
  );
  checkPooler(settings, problems);
  if (settings.DATABASE_READ_URL !== undefined && settings.DATABASE_URL === undefined)
    problems.push(
      'DATABASE_READ_URL needs DATABASE_URL: the embedded database has no standbys; name the PostgreSQL that they follow, or unset DATABASE_READ_URL',
    );
  checkProcesses(settings, problems);
  needs(settings.CHAIN_RPC_URL, 'RELAYER_PRIVATE_KEY', 'with CHAIN_RPC_URL');
  needs(settings.CHAIN_RPC_URL, 'ATTESTATION_CONTRACT', 'with CHAIN_RPC_URL');
  needs(settings.CHAIN_RPC_URL, 'SCHEMA_UID', 'with CHAIN_RPC_URL');
  needs(
    settings.TSA_URLS,
    'TSA_CERTIFICATES',
    'with TSA_URLS: no answer of an authority is kept that its certificates do not vouch for',
  );
  needs(settings.TSA_CERTIFICATES, 'TSA_URLS', 'with TSA_CERTIFICATES');
  if (settings.DRAND_URLS !== undefined && settings.DRAND_CHAIN === undefined)
    problems.push('DRAND_URLS names relays of a drand chain, and DRAND_CHAIN is off: unset one of them');
  if (settings.CHAIN_RPC_URL === undefined) {
    for (const name of [
      'ATTESTATION_CONTRACT',
      'SCHEMA_UID',
      'RELAYER_PRIVATE_KEY',
      'CHAIN_ID',
      'CHAIN_READ_RPC_URL',
    ] as const) {
      if (settings[name] !== undefined)
        problems.push(`${name} belongs to a chain of your own: set CHAIN_RPC_URL too, or unset it`);
    }
  }
  checkIdentity(settings, problems);
  const { IDENTITY_EMBEDDED: isEmbedded, BASE_URL: baseUrl } = settings;
  const isReached = baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname);
  if (isEmbedded === true && isReached && settings.NODE_ENV === 'production')
    problems.push(
      'IDENTITY_EMBEDDED=true lets anybody sign in by a name alone and is refused when NODE_ENV=production at a BASE_URL that others reach: set IDENTITY_ISSUER and IDENTITY_EMBEDDED=false',
    );
  const origin = new URL(baseUrl ?? originOf(settings.HOST, settings.PORT));
  if (settings.NODE_ENV === 'production' && origin.protocol === 'http:' && isPublicHost(origin.hostname))
    problems.push(
      `BASE_URL must be https on a public host (${origin.hostname}) when NODE_ENV=production: API keys and sessions would travel in the clear; serve https (docs/operating.md#behind-a-proxy) and set BASE_URL=https://${origin.hostname}`,
    );
  if (settings.DOMAIN_CHECK_TEST_HOSTS.size > 0 && settings.NODE_ENV === 'production') {
    problems.push(
      'DOMAIN_CHECK_TEST_HOSTS exempts hosts from a security check and is refused when NODE_ENV=production',
    );
  }
  if (settings.FAILPOINT !== undefined && settings.NODE_ENV === 'production') {
    problems.push('FAILPOINT kills the process and is refused when NODE_ENV=production');
  }
  for (const range of settings.TRUST_PROXY) {
    if (!isRange(range))
      problems.push(
        `TRUST_PROXY must hold address ranges (CIDR), \`loopback\` or \`uniquelocal\`, not \`${range}\``,
      );
  }
}

/** The embedded database is asked directly. */
function checkPooler(settings: Settings, problems: string[]): void {
  if (settings.DATABASE_POOLER !== 'none' && settings.DATABASE_URL === undefined)
    problems.push(
      `DATABASE_POOLER=${settings.DATABASE_POOLER} needs DATABASE_URL: nothing stands before the embedded database; name the pooler there, or leave DATABASE_POOLER at none`,
    );
}

/** What is embedded belongs to one process. */
function checkProcesses(settings: Settings, problems: string[]): void {
  if (settings.PROCESSES === 1) return;
  const embedded = (name: SettingName, what: string, instead: string): void =>
    void problems.push(
      `PROCESSES=${settings.PROCESSES} needs ${name}: the embedded ${what} belongs to one process; ${instead}, or leave PROCESSES at 1`,
    );
  if (settings.DATABASE_URL === undefined)
    embedded('DATABASE_URL', 'database', 'name a PostgreSQL that all of them use');
  if (settings.CHAIN_RPC_URL === undefined)
    embedded('CHAIN_RPC_URL', 'chain', 'name a chain that all of them ask');
  if (settings.IDENTITY_EMBEDDED === true)
    embedded('IDENTITY_ISSUER', 'issuer', 'name who signs people in, or set IDENTITY_EMBEDDED=false');
}

function checkIdentity(settings: Settings, problems: string[]): void {
  const { IDENTITY_ISSUER: issuer, SOCIAL_ADAPTER: adapter } = settings;
  if (issuer === undefined) {
    for (const name of ['IDENTITY_CLIENT_ID', 'IDENTITY_CLIENT_SECRET', 'SOCIAL_API_URL'] as const) {
      if (settings[name] !== undefined)
        problems.push(`${name} belongs to an issuer of your own: set IDENTITY_ISSUER too, or unset it`);
    }
    for (const name of ['IDENTITY_SOCIAL_CLAIM', 'IDENTITY_SOCIAL_VERIFIED_CLAIM'] as const) {
      if (settings[name] !== SETTINGS[name].default)
        problems.push(`${name} belongs to an issuer of your own: set IDENTITY_ISSUER too, or unset it`);
    }
    if (adapter !== 'userinfo') problems.push(`SOCIAL_ADAPTER=${adapter} needs IDENTITY_ISSUER`);
  } else {
    if (settings.IDENTITY_EMBEDDED === true)
      problems.push('IDENTITY_EMBEDDED=true and IDENTITY_ISSUER are both set: keep one of them');
    const { protocol, hostname } = new URL(issuer);
    if (protocol === 'http:' && settings.NODE_ENV === 'production' && !isLoopback(hostname))
      problems.push(
        'IDENTITY_ISSUER must be https when NODE_ENV=production: its keys decide who may sign in',
      );
    if (settings.IDENTITY_CLIENT_SECRET !== undefined && settings.IDENTITY_CLIENT_ID === undefined)
      problems.push('IDENTITY_CLIENT_ID is required with IDENTITY_CLIENT_SECRET');
  }
  for (const name of ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN'] as const) {
    if (adapter !== 'userinfo' && settings[name] === undefined)
      problems.push(`${name} is required with SOCIAL_ADAPTER=${adapter}`);
  }
  for (const name of ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN', 'SOCIAL_API_URL'] as const) {
    if (adapter === 'userinfo' && settings[name] !== undefined)
      problems.push(`${name} belongs to an administrator's SOCIAL_ADAPTER: set that too, or unset it`);
  }
}

function isRange(range: string): boolean {
  if (range === 'loopback' || range === 'uniquelocal') return true;
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
