// Runs without a database.
import { describe, expect, test } from 'vitest';
import { mistypedSettings, mistypedText, settingsInForce } from '../../src/settings/warnings.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { svcAdmin } from '../admin/support.ts';

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
});

describe('names that are nearly a setting’s', () => {
  test('are reported with the setting that was meant', () => {
    const found = mistypedSettings({
      ...{ LIMIT_KEY_PER_MINTE: '5', SECRET_KEY: KEY },
      ...{ Anchor_Interval_Second: '1', RELAYER_PRIVATE_KEY_FILES: '/run/key' },
    });
    expect(found.map(({ meant }) => meant)).toEqual([
      ...['LIMIT_KEY_PER_MINUTE', 'SECRET_KEYS'],
      ...['ANCHOR_INTERVAL_SECONDS', 'RELAYER_PRIVATE_KEY_FILE'],
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
