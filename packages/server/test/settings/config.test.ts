// Runs without a database.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { databaseUrls } from '../../src/db/hosts.ts';
import { readTraceVariables } from '../../src/platform/traces/variables.ts';
import { ConfigError, readConfig } from '../../src/settings/read-config.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import type { Setting } from '../../src/settings/values.ts';

const problems = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

const KEY = 'ab'.repeat(32);
const CHAIN = {
  CHAIN_RPC_URL: 'https://rpc.example.org/key',
  RELAYER_PRIVATE_KEY: `0x${'11'.repeat(32)}`,
  ATTESTATION_CONTRACT: `0x${'22'.repeat(20)}`,
  SCHEMA_UID: `0x${'33'.repeat(32)}`,
};

describe('the configuration', () => {
  test('has defaults for everything, as docs/operating/settings.md lists them', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      loopback: true,
      production: false,
      chain: {
        embedded: true,
        devnetPort: 8545,
        name: 'devnet',
        intervalSeconds: 2,
        confirmations: 1,
        maxFeeGwei: 100,
        scheme: 'tree-v2',
      },
      limits: {
        keyPerMinute: 60,
        anonPerMinute: 60,
        rpcPerMinute: 300,
        chainReadsPerMinute: 600,
        etchesKeypair: 100,
        etchesVerified: 250,
        etchesHuman: 100,
        challengesPerDay: 20,
        registrationsPerHour: 10,
        guidePerHour: 30,
        minRevealLeadSeconds: 300,
      },
      guide: { enabled: false },
    });
    expect(Object.isFrozen(config) && Object.isFrozen(config.limits)).toBe(true);
  });

  test('needs both urls and certificates of time-stamping authorities, or neither', () => {
    const file = join(newFolder('certificates'), 'authority.pem');
    const urls = 'https://tsa.example.org, http://127.0.0.1:3161';
    expect(problems({ TSA_URLS: urls })).toEqual([expect.stringMatching(/^TSA_CERTIFICATES is required/)]);
    const both = () => problems({ TSA_URLS: urls, TSA_CERTIFICATES: file });
    expect(both()).toEqual([expect.stringMatching(/^TSA_CERTIFICATES must be a readable file \(ENOENT\)/)]);
    writeFileSync(file, 'no certificate');
    expect(both()).toEqual([expect.stringMatching(/^TSA_CERTIFICATES must be a file with certificates/)]);
    writeFileSync(file, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(both()).toEqual([expect.stringMatching(/^TSA_CERTIFICATES must be .* cannot be parsed/)]);
    const vector = join(import.meta.dirname, '../../../../vectors/valid/timestamp-curve.json');
    writeFileSync(file, (JSON.parse(readFileSync(vector, 'utf8')) as { certificates: string }).certificates);
    expect(problems({ TSA_CERTIFICATES: file })).toEqual([expect.stringMatching(/^TSA_URLS is required/)]);
    const { secrets, tsaCertificates } = readConfig({ TSA_URLS: urls, TSA_CERTIFICATES: file });
    expect(secrets.tsaUrls).toEqual(['https://tsa.example.org', 'http://127.0.0.1:3161']);
    expect(tsaCertificates).toContain('BEGIN CERTIFICATE');
  });

  test('allows at most four calendars, whose addresses a proof may contain', () => {
    const urls = 'https://a.example.org, http://127.0.0.1:3161/calendar';
    expect(readConfig({ OTS_CALENDARS: urls }).otsCalendars).toEqual(urls.split(', '));
    expect(readConfig({}).otsCalendars).toBeUndefined();
    const wrong = ['ftp://a.example.org', 'https://a.example.org/?key=1', 'https://u:p@a.example.org'];
    for (const value of [...wrong, Array(5).fill('https://a.example.org').join(',')])
      expect(problems({ OTS_CALENDARS: value })).toEqual([expect.stringMatching(/^OTS_CALENDARS must be /)]);
  });

  test('waits longer on a public chain, and for the safe block', () => {
    const urls = 'https://rpc.example.org/key, http://127.0.0.1:8545';
    const { chain } = readConfig({ ...CHAIN, CHAIN_RPC_URL: urls });
    expect(chain).toMatchObject({ embedded: false, intervalSeconds: 60, confirmations: 'safe' });
  });

  test('uses separate endpoints for readers, also from a file', () => {
    const file = join(newFolder('config'), 'read-urls');
    writeFileSync(file, 'https://one.example/key,https://two.example\n');
    expect(readConfig(CHAIN).secrets.readRpcUrls).toBeUndefined();
    const { secrets } = readConfig({ ...CHAIN, CHAIN_READ_RPC_URL_FILE: file });
    expect(secrets.readRpcUrls).toEqual(['https://one.example/key', 'https://two.example']);
    expect(secrets.rpcUrls).toEqual(['https://rpc.example.org/key']);
  });

  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '3e3' }, 'PORT must be a whole number'],
    [{ SECURITY_CONTACT: 'http://example.org' }, 'SECURITY_CONTACT must be an https: or mailto: URL'],
    [{ BASE_URL: 'example.org' }, 'BASE_URL must be an http or https URL'],
    [{ BASE_URL: 'https://example.org/path' }, 'BASE_URL must be an origin without a path'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ GUIDE_ENABLED: 'yes' }, 'GUIDE_ENABLED must be one of true, false'],
    [{ ANCHOR_SCHEME: 'tree-v3' }, 'ANCHOR_SCHEME must be one of'],
    [{ ANCHOR_CONFIRMATIONS: '0' }, 'ANCHOR_CONFIRMATIONS must be a whole number'],
    [{ MAX_FEE_GWEI: '-1' }, 'MAX_FEE_GWEI must be a number of gwei'],
    [{ TRUST_PROXY: '10.0.0.0/40' }, 'TRUST_PROXY must be address ranges'],
    [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY must be address ranges'],
    [{ TRUST_PROXY: 'everybody' }, 'TRUST_PROXY must be address ranges'],
    [{ SECRET_KEYS: 'short' }, 'SECRET_KEYS must be one or more keys of 64 hex digits'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// URL'],
    [{ DATABASE_URL: 'postgres://one:5432,two:70000/c' }, 'DATABASE_URL must be a postgres:// URL'],
    [{ DATABASE_URL: 'postgres://a:b/c@127.0.0.1/c' }, 'DATABASE_URL must be a postgres:// URL; percent-'],
    [{ DATABASE_URL: 'postgres://a:b#c@127.0.0.1/c' }, 'DATABASE_URL must be a postgres:// URL; percent-'],
    [{ DATABASE_URL: 'postgres://a:b@127.0.0.1/c?sslmode=required' }, 'DATABASE_URL has an unknown sslmode'],
    [{ DATABASE_URL: 'postgres://a,b/c?target_session_attrs=any' }, 'DATABASE_URL must have no target_'],
    [{ DATABASE_URL: 'postgres://a:b@127.0.0.1/c' }, 'SECRET_KEYS is required with DATABASE_URL'],
    [{ CHAIN_RPC_URL: 'http://127.0.0.1:8545' }, 'RELAYER_PRIVATE_KEY is required with CHAIN_RPC_URL'],
    [{ SCHEMA_UID: `0x${'33'.repeat(32)}` }, 'SCHEMA_UID requires CHAIN_RPC_URL'],
    [{ CHAIN_READ_RPC_URL: 'https://rpc.example.org/' }, 'CHAIN_READ_RPC_URL requires CHAIN_RPC_URL'],
    [{ DATABASE_URL: 'postgres://u:canary@one/c?pool_size=1' }, 'DATABASE_URL has a wrong pool_size'],
    [{ DATABASE_URL: 'postgres://u:canary@one/c?pooler=session' }, 'DATABASE_URL has a wrong pooler'],
    [{ DATABASE_URL: 'postgres://one/c?pool_size=20&pool%5Fsize=30' }, 'DATABASE_URL has pool_size twice'],
    [{ DATABASE_READ_URL: 'postgres://two/c?pool_size=20' }, 'DATABASE_READ_URL must have no pool_size'],
    [{ DATABASE_READ_URL: 'postgres://two/c?pooler=x' }, 'DATABASE_READ_URL has a wrong pooler'],
    [{ DATABASE_READ_URL: 'postgres://two/c' }, 'DATABASE_READ_URL requires DATABASE_URL, because'],
    [{ DATABASE_READ_URL: 'postgres://b/c?target_session_attrs=any' }, 'DATABASE_READ_URL must have no t'],
    [{ PROCESSES: 'all' }, 'PROCESSES must be `auto` or a whole number from 1 to 256'],
    [{ PROCESSES: '2' }, 'PROCESSES=2 requires DATABASE_URL, because processes cannot share the embedded'],
    [{ PROCESSES: '2' }, 'PROCESSES=2 requires CHAIN_RPC_URL, because processes cannot share the embedded'],
    [{ PROCESSES: '2', IDENTITY_EMBEDDED: 'true' }, 'PROCESSES=2 requires IDENTITY_ISSUER, because'],
    [{ NODE_ENV: 'production', FAILPOINT: 'after-stage' }, 'FAILPOINT kills the process'],
    [{ NODE_ENV: 'production', TEST_LIVE_CONNECTIONS: '5' }, 'TEST_LIVE_CONNECTIONS replaces a constant'],
    [{ ERASURE_LEDGER: '/a/erasures.jsonl' }, 'ERASURE_LEDGER was replaced: set LEDGER_DIR'],
    [{ REVOCATION_LEDGER: '/a/revocations.jsonl' }, 'REVOCATION_LEDGER was replaced: set LEDGER_DIR'],
    [{ DATABASE_POOL_SIZE: '20' }, 'DATABASE_POOL_SIZE was replaced: add ?pool_size=<number> to DATABASE'],
    [{ DATABASE_POOLER: 'transaction' }, 'DATABASE_POOLER was replaced: add ?pooler=transaction'],
    [{ IDENTITY_SCOPES: 'openid' }, 'IDENTITY_SCOPES was replaced: add ?scope='],
    [{ IDENTITY_CLI_CLIENT_ID: 'x' }, 'IDENTITY_CLI_CLIENT_ID was replaced: append it to IDENTITY_CLIENT_ID'],
    [{ SOCIAL_API_URL: 'https://x' }, 'SOCIAL_API_URL was replaced: set SOCIAL_ADAPTER=<name>=<URL>'],
    [{ WEBHOOKS_ENABLED: 'false' }, 'WEBHOOKS_ENABLED was replaced: create a file webhooks-off in DATA_DIR'],
    [{ SITE_NOTICE: 'x' }, 'SITE_NOTICE was replaced: write the line into the file notice.txt in DATA_DIR'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of production, development, test'],
    [{ NODE_ENV: 'Production' }, 'NODE_ENV must be one of production, development, test'],
    [{ NODE_ENV: 'production', BASE_URL: 'http://etch.example' }, 'BASE_URL must be https on a public'],
    [{ NODE_ENV: 'production', HOST: '8.8.4.4' }, 'BASE_URL must be https on a public host (8.8.4.4)'],
    [{ NODE_ENV: 'production', DOMAIN_CHECK_TEST_HOSTS: 'a.b=127.0.0.1:1' }, 'DOMAIN_CHECK_TEST_HOSTS ex'],
    [{ DOMAIN_CHECK_TEST_HOSTS: 'a.example' }, 'DOMAIN_CHECK_TEST_HOSTS must be host=address:port'],
    [{ SECRET_KEYS: KEY, SECRET_KEYS_FILE: '/dev/null' }, 'SECRET_KEYS and SECRET_KEYS_FILE are both set'],
    [{ SECRET_KEYS_FILE: '/nowhere/keys' }, 'SECRET_KEYS cannot be read from the file'],
  ])('rejects %j with one message that names it', (environment, message) => {
    const found = problems(environment);
    expect(found.map((problem) => problem.slice(0, message.length))).toContain(message);
    expect(found.join('\n')).not.toContain('canary');
  });

  test('starts one process per core for auto, and several processes without the embedded issuer', () => {
    const own = { ...CHAIN, DATABASE_URL: 'postgres://a@127.0.0.1/c', SECRET_KEYS: KEY };
    expect(readConfig(own)).toMatchObject({ processes: 1, identity: { embedded: true } });
    expect(readConfig({ ...own, PROCESSES: 'auto' }).processes).toBe(availableParallelism());
    const several = { processes: 3, identity: { embedded: false } };
    expect(readConfig({ ...own, PROCESSES: '3' })).toMatchObject(several);
  });

  test('reports all bad values at once and repeats none of them', () => {
    const bad = { PORT: 'x', SECRET_KEYS: 'not-a-key-but-secret', DATABASE_URL: 'mysql://user:password@h' };
    const found = problems(bad);
    expect(found).toHaveLength(3);
    expect(found.join()).not.toMatch(/password|not-a-key/);
  });

  test('accepts a DATABASE_URL with several servers that share user, name and parameters', () => {
    const to = (hosts: string) => `postgres://svc:p%2Cw@${hosts}/etches?sslmode=require`;
    const url = `${to('one:5432,two,[::1]:5433')}&target_session_attrs=read-write`;
    expect(problems({ DATABASE_URL: url, SECRET_KEYS: KEY })).toEqual([]);
    expect(databaseUrls(url)).toEqual(['one:5432', 'two', '[::1]:5433'].map(to));
  });
});

test('takes the parameters of the pool out of the URL of the database, and leaves the rest as written', () => {
  const poolOf = (url: string, readUrl = 'postgres://two/c') => {
    const own = { DATABASE_URL: url, DATABASE_READ_URL: readUrl, SECRET_KEYS: KEY };
    const { secrets, databasePoolSize, databasePooler, standbyPooler } = readConfig(own);
    return [secrets.databaseUrl, databasePoolSize, databasePooler, secrets.databaseReadUrl, standbyPooler];
  };
  const address = 'postgres://svc:p%2Cw@one:5432,[::1]:5433/etches';
  const read = 'postgres://two/c';
  expect(poolOf(address)).toEqual([address, 10, 'none', read, 'none']);
  expect(poolOf(`${address}?pool_size=20`)).toEqual([address, 20, 'none', read, 'none']);
  expect(poolOf(`${address}?options=-c%20a&pooler=transaction&sslmode=require&pool_size=2`)).toEqual([
    `${address}?options=-c%20a&sslmode=require`,
    2,
    'transaction',
    read,
    'transaction',
  ]);
  expect(poolOf(`${address}?pooler=%74ransaction`, `${read}?pooler=none`)).toEqual([
    address,
    10,
    'transaction',
    read,
    'none',
  ]);
  expect(poolOf(`${address}?application_name=who?&pool_size=3`)[0]).toBe(`${address}?application_name=who?`);
});

test('reads the files of the operator in DATA_DIR', () => {
  const folder = newFolder('data');
  const found = () => {
    const { siteNotice, webhooks } = readConfig({ DATA_DIR: folder });
    return [siteNotice, webhooks.enabled];
  };
  expect(found()).toEqual([undefined, true]);
  writeFileSync(join(folder, 'notice.txt'), 'Deleted on 1 March.\n');
  writeFileSync(join(folder, 'webhooks-off'), '');
  expect(found()).toEqual(['Deleted on 1 March.', false]);
  const other = newFolder('data');
  mkdirSync(join(other, 'notice.txt'));
  // Otherwise webhooks would be on for an operator who turned them off.
  symlinkSync('webhooks-off', join(other, 'webhooks-off'));
  expect(problems({ DATA_DIR: other })).toEqual([
    'DATA_DIR/notice.txt cannot be read (EISDIR)',
    'DATA_DIR/webhooks-off cannot be read (ELOOP)',
  ]);
  expect(problems({ DATA_DIR: join(folder, 'webhooks-off') })).toEqual([]);
});

test('OpenTelemetry’s variables trace nothing without a collector, and a bad one names itself', () => {
  expect(readTraceVariables({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
  const file = join(newFolder('headers'), 'headers');
  writeFileSync(file, 'authorization=Bearer%20x,b=c\n');
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318/';
  expect(readTraceVariables({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS_FILE: file })).toEqual({
    endpoint: 'http://127.0.0.1:4318',
    ratio: 1,
    headers: { authorization: 'Bearer x', b: 'c' },
  });
  const wrong = { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere', OTEL_EXPORTER_OTLP_HEADERS: 'canary' };
  expect(() => readTraceVariables({ ...wrong, OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(
    new ConfigError([
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL',
      'OTEL_EXPORTER_OTLP_HEADERS must be name=value, separated by commas',
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
    ]),
  );
});

test('there are at most 60 settings', () => {
  expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(60);
});

test('the schema of the settings accepts what the service accepts, and rejects wrong values', () => {
  const path = new URL('../../../../docs/operating/settings.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as { properties: Record<string, object> };
  const isValid = new Ajv2020({ strict: false }).compile(schema);
  const minimal = new URL('../../../../deploy/minimal.env', import.meta.url);
  expect(isValid(parseEnv(readFileSync(minimal, 'utf8')))).toBe(true);
  for (const [name, { default: value, secret }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    expect(schema.properties, name).toHaveProperty(name);
    expect(`${name}_FILE` in schema.properties, name).toBe(secret === true);
    if (value !== undefined) expect([name, isValid({ [name]: value })]).toEqual([name, true]);
  }
  expect(isValid({ PORT: 3000, GUIDE_ENABLED: true, POSTGRES_PASSWORD: 'other programs' })).toBe(true);
  for (const wrong of [{ PORT: 70_000 }, { PORT: 'x' }, { LOG_LEVEL: 'loud' }, { SCHEMA_UID: '0x1' }])
    expect(isValid(wrong), JSON.stringify(wrong)).toBe(false);
});
