// Runs without a database.
import { describe, expect, test } from 'vitest';
import { isPublicHost } from '../../src/settings/listen-address.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { settingWarnings } from '../../src/settings/warnings.ts';

const warningsOf = (environment: Record<string, string>): string[] =>
  settingWarnings(environment, readConfig(environment));

describe('warnings about allowed settings', () => {
  const ISSUER = { IDENTITY_ISSUER: 'https://issuer.example' };

  test.each<[Record<string, string>, RegExp]>([
    [ISSUER, /^IDENTITY_CLIENT_ID is not set: .*people cannot sign in on the pages/],
    [{ BASE_URL: 'http://etch.example' }, /^BASE_URL is http on a public host/],
    [{ NODE_ENV: 'production', HOST: '0.0.0.0' }, /^BASE_URL is not set: .*http:\/\/127\.0\.0\.1:3000/],
    [
      { SESSION_MAX_SECONDS: '60' },
      /^SESSION_MAX_SECONDS was removed and has no effect: .*14 days; unset it$/,
    ],
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

test.each([
  ['etch.example.org', true],
  ['etch.example.org.', true],
  ['8.8.8.8', true],
  ['[2606:4700::1111]', true],
  ['localhost', false],
  ['etch', false],
  ['etch.internal', false],
  ['abc.onion', false],
  ['10.0.0.1', false],
  ['172.30.80.2', false],
  ['192.168.1.2', false],
  ['127.0.0.1', false],
  ['[::1]', false],
  ['[fd00::1]', false],
  ['[::ffff:10.0.0.1]', false],
])('the host %s is public: %s', (host, isPublic) => expect(isPublicHost(host)).toBe(isPublic));
