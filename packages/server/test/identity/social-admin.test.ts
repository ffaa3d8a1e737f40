// Runs without a database.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { type LocalServer, startServer } from '../../../../testing/machine/server.ts';
import type { Issuer } from '../../src/identity/issuer.ts';
import { openSocialAdapter, type SocialAdapter } from '../../src/identity/social/adapter.ts';
import { ProviderUnreachable } from '../../src/platform/outgoing/bounded-fetch.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { type ProviderAnswers, PROVIDERS } from './provider-answers.ts';

const TOKEN = 'the-administrators-token';
const reject = () => Promise.reject(new Error('unused'));
const nobody: Issuer = { key: 'unused', name: async () => 'unused', verify: reject, userinfo: reject };

let server: LocalServer;
let origin: string;
let seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
let state: 'linked' | 'unlinked' | 'gone' | 'broken' | 'misplaced' | 'other form' = 'linked';
let answers: ProviderAnswers;

beforeAll(async () => {
  server = await startServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const { status, body } = answerTo(method, url, headers.authorization);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  origin = server.url;
});
afterAll(() => server.stop());
beforeEach(() => {
  seen = [];
  state = 'linked';
});

function answerTo(method: string, url: string, token?: string): { status: number; body: unknown } {
  if (token !== `Bearer ${TOKEN}`) return answers.refused;
  if (state === 'broken') return { status: 500, body: { message: 'internal' } };
  if (state === 'misplaced') return { status: 404, body: { message: 'no such route' } };
  if (state === 'other form') return { status: 200, body: 'text' };
  const isKnown = method === (answers.method ?? 'GET') && userIn(url) !== undefined;
  if (!isKnown) return { status: 405, body: { message: 'no such operation' } };
  if (url !== answers.path(answers.subject) || state === 'gone') return answers.unknownUser;
  return { status: 200, body: state === 'linked' ? answers.linked : answers.unlinked };
}

function userIn(url: string): string | undefined {
  const [before = '', after = ''] = answers.path('USER').split('USER');
  return url.startsWith(before) && url.endsWith(after)
    ? url.slice(before.length, url.length - after.length)
    : undefined;
}

function openAdapter(name: keyof typeof PROVIDERS, settings: Record<string, string> = {}): SocialAdapter {
  answers = PROVIDERS[name];
  const config = readConfig({
    IDENTITY_ISSUER: origin + answers.issuerPath,
    // Clerk's API and its issuers have different hosts.
    SOCIAL_ADAPTER: name === 'clerk' ? `clerk=${origin}/v1` : name,
    SOCIAL_PROVIDER: answers.provider,
    ...(settings['SOCIAL_ADMIN_TOKEN_FILE'] === undefined && { SOCIAL_ADMIN_TOKEN: TOKEN }),
    ...settings,
  });
  return openSocialAdapter(config, nobody);
}

describe.each(Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])('%s', (name) => {
  const read = (adapter: SocialAdapter, subject = PROVIDERS[name].subject) =>
    adapter.read({ subject, token: undefined });

  test('reads the linked account with the documented request', async () => {
    const adapter = openAdapter(name);
    const { handle, verifiedAt, subject, path, method = 'GET' } = answers;
    const verified = verifiedAt === undefined ? 'now' : { at: verifiedAt };
    expect(await read(adapter)).toEqual({ handle, verified });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method, url: path(subject) });
    if (method === 'POST') expect(JSON.parse(seen[0]!.body)).toEqual({});
    if (name === 'supabase') expect(seen[0]!.headers['apikey']).toBe(TOKEN);
    expect(adapter.needsToken).toBe(false);
  });

  test('returns no account that is unlinked, at a different provider, or whose user is gone', async () => {
    expect(await read(openAdapter(name, { SOCIAL_PROVIDER: 'another' }))).toBeNull();
    for (state of ['unlinked', 'gone'] as const) expect(await read(openAdapter(name))).toBeNull();
  });

  test('reports the provider as unreachable when it fails or rejects the token, which it never shows', async () => {
    const error: Error = await read(openAdapter(name, { SOCIAL_ADMIN_TOKEN: 'expired' })).catch((one) => one);
    expect(error).toBeInstanceOf(ProviderUnreachable);
    expect(error.message).toContain('SOCIAL_ADMIN_TOKEN');
    expect(error.message).not.toContain('expired');
    for (state of ['broken', 'misplaced', 'other form'] as const)
      await expect(read(openAdapter(name)), state).rejects.toThrow(ProviderUnreachable);
  });

  test.each(['..', '.', '../../../secrets', 'a/b?c#d', '%2e%2e'])(
    'requests no other path when the subject is %s',
    async (subject) => {
      const adapter = openAdapter(name);
      await read(adapter, subject).catch(() => undefined);
      expect(seen).toHaveLength(/^\.+$/.test(subject) ? 0 : 1);
      for (const { url } of seen) expect(userIn(url)).toMatch(/^[^/?#]+$/);
    },
  );
});

describe('differences between identity providers', () => {
  test('auth0: reads the names of the first identity from the user', async () => {
    const adapter = openAdapter('auth0');
    const identities = [{ connection: 'twitter', provider: 'twitter', user_id: '42', isSocial: true }];
    const { subject } = answers;
    const linked = { user_id: subject, screen_name: 'ada_first', nickname: 'Ada', identities };
    answers = { ...answers, linked };
    const found = await adapter.read({ subject, token: undefined });
    expect(found).toEqual({ handle: 'ada_first', verified: 'now' });
  });

  test('logto: reads the GitHub connector’s answer one level deeper', async () => {
    const adapter = openAdapter('logto', { SOCIAL_PROVIDER: 'github' });
    const github = { userId: '1', details: { id: '1', rawData: { userInfo: { login: 'ada-gh' } } } };
    answers = { ...answers, linked: { id: answers.subject, identities: { github } } };
    const found = await adapter.read({ subject: answers.subject, token: undefined });
    expect(found).toMatchObject({ handle: 'ada-gh' });
  });

  test('reads an administrator’s token file for each call', async () => {
    const file = join(newFolder('token'), 'token');
    await writeFile(file, 'old\n');
    const adapter = openAdapter('keycloak', { SOCIAL_ADMIN_TOKEN_FILE: file });
    const person = { subject: answers.subject, token: undefined };
    await expect(adapter.read(person)).rejects.toThrow(ProviderUnreachable);
    await writeFile(file, `${TOKEN}\n`);
    expect(await adapter.read(person)).toMatchObject({ handle: 'ada-gh' });
    await rm(file);
    await expect(adapter.read(person)).rejects.toThrow(ProviderUnreachable);
  });
});
