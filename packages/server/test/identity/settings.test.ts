// Runs without a database.
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/settings/config.ts';
import { type ConfigError, readConfig } from '../../src/settings/read-config.ts';

const ISSUER = { IDENTITY_ISSUER: 'https://issuer.example/realms/harbour' };
const ADMIN = { SOCIAL_ADAPTER: 'keycloak', SOCIAL_PROVIDER: 'github', SOCIAL_ADMIN_TOKEN: 'x' };
const PUBLIC = { NODE_ENV: 'production', BASE_URL: 'https://etch.example' };
const OTHER_ADAPTER = 'requires a SOCIAL_ADAPTER other than userinfo';

const problemsOf = (environment: Record<string, string>): string => {
  try {
    return readConfig(environment) && '';
  } catch (error) {
    return (error as ConfigError).problems.join('\n');
  }
};

describe('the embedded issuer is on', () => {
  test.each<[boolean, Record<string, string>]>([
    [true, {}],
    [true, { HOST: '::1' }],
    [true, { HOST: 'localhost', BASE_URL: 'http://localhost:3000' }],
    [false, { NODE_ENV: 'production' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '192.0.2.1' }],
    [false, { BASE_URL: 'https://etch.example' }],
    [false, { IDENTITY_EMBEDDED: 'false' }],
    [false, ISSUER],
    [true, { NODE_ENV: 'production', IDENTITY_EMBEDDED: 'true' }],
    [true, { HOST: '0.0.0.0', BASE_URL: 'https://etch.example', IDENTITY_EMBEDDED: 'true' }],
  ])('%s with %o', (expected, environment) => {
    expect(readConfig(environment).identity.embedded).toBe(expected);
  });
});

describe('identity settings that conflict are rejected', () => {
  test.each<[Record<string, string>, string]>([
    [{ IDENTITY_ISSUER: 'issuer.example' }, 'IDENTITY_ISSUER must be an http'],
    [{ IDENTITY_ISSUER: 'ftp://issuer.example' }, 'IDENTITY_ISSUER must be an http'],
    [{ IDENTITY_ISSUER: 'https://issuer.example/?a=b' }, 'IDENTITY_ISSUER must be an issuer'],
    [{ IDENTITY_ISSUER: 'https://issuer.example/?scope=openid+a#b' }, 'IDENTITY_ISSUER must be an issuer'],
    [{ IDENTITY_ISSUER: 'https://u:p@issuer.example/' }, 'IDENTITY_ISSUER must be an issuer'],
    [{ IDENTITY_ISSUER: 'http://issuer.example', NODE_ENV: 'production' }, 'IDENTITY_ISSUER must be https'],
    [{ ...ISSUER, IDENTITY_EMBEDDED: 'true' }, 'both set'],
    [{ ...PUBLIC, IDENTITY_EMBEDDED: 'true' }, 'anyone sign in without a password'],
    [{ IDENTITY_EMBEDDED: 'yes' }, 'IDENTITY_EMBEDDED must be true or false'],
    [{ IDENTITY_CLIENT_ID: 'x' }, 'IDENTITY_CLIENT_ID requires IDENTITY_ISSUER'],
    [{ IDENTITY_CLIENT_SECRET: 'x' }, 'IDENTITY_CLIENT_SECRET requires IDENTITY_ISSUER'],
    [{ ...ISSUER, IDENTITY_CLIENT_SECRET: 'x' }, 'IDENTITY_CLIENT_ID is required'],
    [{ IDENTITY_SOCIAL_CLAIM: 'nick' }, 'IDENTITY_SOCIAL_CLAIM requires IDENTITY_ISSUER'],
    [{ SOCIAL_ADAPTER: 'myspace', ...ISSUER }, 'SOCIAL_ADAPTER must be one of'],
    [ADMIN, 'SOCIAL_ADAPTER=keycloak requires IDENTITY_ISSUER'],
    [{ ...ISSUER, SOCIAL_ADAPTER: 'auth0', SOCIAL_ADMIN_TOKEN: 'x' }, 'SOCIAL_PROVIDER is required'],
    [{ ...ISSUER, SOCIAL_ADAPTER: 'auth0', SOCIAL_PROVIDER: 'x' }, 'SOCIAL_ADMIN_TOKEN is required'],
    [{ ...ISSUER, SOCIAL_PROVIDER: 'github' }, `SOCIAL_PROVIDER ${OTHER_ADAPTER}`],
    [{ ...ISSUER, SOCIAL_ADMIN_TOKEN: 'canary' }, `SOCIAL_ADMIN_TOKEN ${OTHER_ADAPTER}`],
    [{ ...ISSUER, ...ADMIN, SOCIAL_ADAPTER: 'keycloak=nowhere' }, 'SOCIAL_ADAPTER must be an http'],
    [{ ...ISSUER, SOCIAL_ADAPTER: 'userinfo=https://x' }, 'SOCIAL_ADAPTER must have no URL with `userinfo`'],
    [{ ...ISSUER, IDENTITY_CLIENT_ID: 'a,b,c' }, 'IDENTITY_CLIENT_ID must be a client id, or two'],
    [{ ...ISSUER, IDENTITY_CLIENT_ID: ',c', IDENTITY_CLIENT_SECRET: 'x' }, 'IDENTITY_CLIENT_ID is required'],
    [{ IDENTITY_ISSUER: 'https://a.example?scope=x' }, 'IDENTITY_ISSUER has a wrong scope: it must contain'],
  ])('%o', (environment, expected) => {
    expect(problemsOf(environment)).toContain(expected);
    expect(problemsOf(environment)).not.toContain('canary');
  });
});

describe('valid identity settings', () => {
  const identityOf = (environment: Record<string, string>): Config['identity'] =>
    readConfig(environment).identity;

  test('keep the issuer as written', () => {
    for (const IDENTITY_ISSUER of ['https://tenant.example/', 'http://127.0.0.1:8080'])
      expect(identityOf({ IDENTITY_ISSUER, NODE_ENV: 'production' }).issuer).toBe(IDENTITY_ISSUER);
  });

  test('name the scopes and both clients', () => {
    expect(identityOf(ISSUER)).toMatchObject({ scopes: 'openid profile', cliClientId: 'svc-cli' });
    const IDENTITY_ISSUER = 'https://tenant.example/?scope=openid+offline_access%20urn:a';
    const named = { issuer: 'https://tenant.example/', scopes: 'openid offline_access urn:a' };
    const both = { clientId: 'web', cliClientId: 'tools' };
    expect(identityOf({ IDENTITY_ISSUER, IDENTITY_CLIENT_ID: 'web, tools' })).toMatchObject({
      ...named,
      ...both,
    });
    const one = { clientId: undefined, cliClientId: 'tools' };
    expect(identityOf({ ...ISSUER, IDENTITY_CLIENT_ID: ',tools' })).toMatchObject(one);
  });

  test('read the social identity by userinfo by default', () => {
    const claims = { claim: 'social_handle', verifiedClaim: 'social_verified_at' };
    expect(identityOf({}).social).toMatchObject({ adapter: 'userinfo', ...claims });
    const social = { adapter: 'keycloak', provider: 'github' };
    expect(identityOf({ ...ISSUER, ...ADMIN }).social).toMatchObject(social);
  });
});
