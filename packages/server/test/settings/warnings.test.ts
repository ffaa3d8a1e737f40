// Runs without a database.
import { describe, expect, test } from 'vitest';
import { isPublicHost } from '../../src/settings/listen-address.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import {
  explainSetting,
  mistypedSettings,
  mistypedText,
  settingsInForce,
  settingWarnings,
} from '../../src/settings/warnings.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { svcAdmin } from '../admin/support.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUICKNET } from '@svc/protocol/timelock';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { API_VERSION } from '@svc/contract';

const warningsOf = (environment: Record<string, string>): string[] =>
  settingWarnings(environment, readConfig(environment));

describe('warnings about allowed settings', () => {
  const ISSUER = { IDENTITY_ISSUER: 'https://issuer.example' };

  test.each<[Record<string, string>, RegExp]>([
    [ISSUER, /^IDENTITY_CLIENT_ID is not set: .*people cannot sign in on the pages/],
    [{ BASE_URL: 'http://etch.example' }, /^BASE_URL is http on a public host/],
    [{ NODE_ENV: 'production', HOST: '0.0.0.0' }, /^BASE_URL is not set: .*http:\/\/127\.0\.0\.1:3000/],
    [{ SESSION_MAX_SECONDS: '60' }, /^SESSION_MAX_SECONDS was removed and has no.*14 days; unset it$/],
    [{ EVENTS_KEPT_DAYS: '30' }, /^EVENTS_KEPT_DAYS was removed and has no effect: .*90 days; unset it$/],
    [{ LIMIT_MCP_PER_MINUTE: '60' }, /^LIMIT_MCP_PER_MINUTE was removed.*LIMIT_KEY_PER_MINUTE/],
    [{ BASE_URLS: 'https://etch.example' }, /^BASE_URLS is no setting.*BASE_URL/],
  ])('%j gets one warning that names the setting', (environment, warning) => {
    expect(warningsOf(environment)).toEqual([expect.stringMatching(warning)]);
  });

  test.each<Record<string, string>>([
    {},
    { ...ISSUER, IDENTITY_CLIENT_ID: 'svc' },
    { NODE_ENV: 'production', HOST: '0.0.0.0', BASE_URL: 'https://etch.example' },
    { NODE_ENV: 'production', HOST: '0.0.0.0', BASE_URL: 'http://10.1.2.3:3000' },
    { NODE_ENV: 'production' },
    { NODE_ENV: 'test' },
  ])('%j gets none', (environment) => expect(warningsOf(environment)).toEqual([]));
});

test('tells a public host from a private one', () => {
  const hosts =
    `etch.example.org etch.example.org. 8.8.8.8 [2606:4700::1111] localhost etch etch.internal abc.onion
    10.0.0.1 172.30.80.2 192.168.1.2 127.0.0.1 [::1] [fd00::1] [::ffff:10.0.0.1]`.split(/\s+/);
  expect(hosts.filter(isPublicHost)).toEqual(hosts.slice(0, 4));
});

const chainOf = (value?: string) => readConfig(value === undefined ? {} : { DRAND_CHAIN: value }).drandChain;
const { info } = localChain({ genesis: 1_700_000_000, period: 3 });

test('DRAND_CHAIN is quicknet, a chain from a file, or off', () => {
  const folder = newFolder('drand');
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  expect(chainOf()).toEqual(QUICKNET);
  expect(chainOf('off')).toBeUndefined();
  expect(chainOf(write('good.json', info))?.hash).toBe(info.hash);
  for (const bad of [
    write('period.json', { ...info, period: 4 }),
    write('scheme.json', { ...info, schemeID: 'pedersen-bls-chained' }),
    join(folder, 'nowhere.json'),
  ])
    expect(() => chainOf(bad)).toThrow('DRAND_CHAIN must be `quicknet`, `off`, or a file');
});

test('DRAND_URLS are relays of the configured chain', () => {
  const url = 'https://relay.example.org/drand';
  expect(readConfig({}).secrets.drandUrls).toBeUndefined();
  expect(readConfig({ DRAND_URLS: url }).secrets.drandUrls).toEqual([url]);
  expect(() => readConfig({ DRAND_URLS: url, DRAND_CHAIN: 'off' })).toThrow('DRAND_CHAIN is off');
});

const ROOT = new URL('../../../../', import.meta.url);
const { version, workspaces } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  version: string;
  workspaces: string[];
};

test('all released packages have one version', () => {
  for (const workspace of workspaces) {
    const text = readFileSync(new URL(`${workspace}/package.json`, ROOT), 'utf8');
    expect((JSON.parse(text) as { version: string }).version, workspace).toBe(version);
  }
  expect(API_VERSION).toBe(version);
});

const KEY = 'ab'.repeat(32);

describe('settings in force', () => {
  test('lists each setting with its set, derived or default value', () => {
    const environment = { LIMIT_KEY_PER_MINUTE: ' 7', BASE_URL: 'https://etch.example', SECRET_KEYS: KEY };
    const settings = settingsInForce(environment, readConfig(environment));
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
    for (const [name, value, from] of [
      ['LIMIT_KEY_PER_MINUTE', '7', 'environment'],
      ['LIMIT_ANON_PER_MINUTE', '60', 'default'],
      ['ANCHOR_INTERVAL_SECONDS', '2', 'default'],
      ['REDIS_URL', null, 'default'],
    ])
      expect(settings).toContainEqual(expect.objectContaining({ name, value, from }));
    const derived = { name: 'BASE_URL', value: 'http://127.0.0.1:3000' };
    expect(settingsInForce({}, readConfig({}))).toContainEqual(expect.objectContaining(derived));
  });

  test('show no secret and no credentials of a URL', () => {
    const environment = {
      SECRET_KEYS: KEY,
      DATABASE_URL: 'postgres://etch:hush@localhost/etch',
      CHAIN_PUBLIC_RPC_URL: 'https://reader:hush@rpc.example',
    };
    const settings = settingsInForce(environment, readConfig(environment));
    const text = JSON.stringify(settings);
    expect(text).not.toMatch(/hush|abab/);
    const hidden = settings.filter(({ value }) => value === '***').map(({ name }) => name);
    expect(hidden.sort()).toEqual(['DATABASE_URL', 'SECRET_KEYS']);
    expect(text).toContain('https://***@rpc.example');
  });

  test('svc-admin config shows them', async () => {
    const { json } = await svcAdmin(readConfig({}), 'config', '--json');
    expect(json.settings).toHaveLength(Object.keys(SETTINGS).length);
    const { out } = await svcAdmin(readConfig({}), 'config');
    expect(out).toMatch(/^PORT +3000$/m);
    expect((await svcAdmin(readConfig({}), 'config', '--set')).out).toBe('');
  });

  test('svc-admin config --explain explains one, and suggests a name', async () => {
    const explain = (name: string, ...more: string[]) =>
      svcAdmin(readConfig({}), 'config', '--explain', name, ...more);
    const { out, status } = await explain('LOG_LEVEL');
    expect([status, out]).toEqual([0, expect.stringContaining('accepts  fatal, error, warn, info')]);
    expect((await explain('PORT')).out).toMatch(
      /^PORT: port to listen on[^]*default {2}3000\naccepts {2}0 to 65535$/m,
    );
    const { json } = await explain('SECRET_KEYS_FILE', '--json');
    expect(json).toMatchObject({ name: 'SECRET_KEYS', secret: true, default: null });
    await expect(explain('TRUST_PROXI')).rejects.toMatchObject({
      status: 64,
      message: 'TRUST_PROXI is no setting: did you mean TRUST_PROXY?',
    });
    await expect(explain('SITE_NOTICE')).rejects.toThrow('notice.txt');
  });

  test('explains a setting whose value the service rejects, and shows no secret', () => {
    const environment = { PORT: 'x', SECRET_KEYS: KEY, DATABASE_URL: 'postgres://svc:hush@db/svc' };
    expect(explainSetting('PORT', environment)).toMatchObject({ value: 'x', from: 'environment' });
    for (const name of ['SECRET_KEYS', 'DATABASE_URL'])
      expect(JSON.stringify(explainSetting(name, environment))).not.toMatch(/hush|abab/);
    const fromFile = explainSetting('SECRET_KEYS', { SECRET_KEYS_FILE: '/run/keys' });
    expect(fromFile).toMatchObject({ value: '***', from: 'file' });
  });
});

describe('names that are nearly a setting’s', () => {
  test('are reported with the setting that was meant', () => {
    const found = mistypedSettings({
      LIMIT_KEY_PER_MINTE: '5',
      SECRET_KEY: KEY,
      Anchor_Interval_Second: '1',
      RELAYER_PRIVATE_KEY_FILES: '/run/key',
    });
    expect(found.map(({ meant }) => meant)).toEqual([
      'LIMIT_KEY_PER_MINUTE',
      'SECRET_KEYS',
      'ANCHOR_INTERVAL_SECONDS',
      'RELAYER_PRIVATE_KEY_FILE',
    ]);
    expect(mistypedText(found[1]!)).not.toContain(KEY);
  });

  test('exclude names of other programs, empty values and settings themselves', () => {
    const others = `PATH HOME HOSTNAME LANG TERM SHELL NODE_OPTIONS npm_config_cache OLDPWD SECRET_KEYS_FILE
      SVC_BASE_URL OTEL_TRACES_SAMPLER`.split(/\s+/);
    const environment = Object.fromEntries([...others, ...Object.keys(SETTINGS)].map((name) => [name, 'x']));
    expect(mistypedSettings({ ...environment, LIMIT_KEY_PER_MINTE: '' })).toEqual([]);
  });
});
