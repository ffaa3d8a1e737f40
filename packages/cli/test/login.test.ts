import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { type LocalServer, startServer } from '../../../testing/machine/server.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { signInByForm } from '../../../testing/clients/reader.ts';
import { svcHere } from './support/svc-here.ts';
import { freshHome, svc, type Ran } from '../../../testing/clients/svc.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { wellKnown } from './support/service.ts';

const service = useSharedService();
const home = freshHome();
const profiles = join(home, 'svc', 'profiles.json');
const run = (args: string[], env: Record<string, string> = {}) =>
  svcHere(args, { home, env: { SVC_BASE_URL: service.url, ...env } });
const readProfile = (name: string) => JSON.parse(readFileSync(profiles, 'utf8')).profiles[name];

async function startLogin(args: string[] = [], program: typeof svcHere = svcHere) {
  let ended!: Promise<Ran>;
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    const onErr = (text: string) => {
      const found = /^(http\S+)$/m.exec((printed += text))?.[1];
      if (found !== undefined) resolve(found);
    };
    ended = program(['login', '--base-url', service.url, ...args], { home, onErr });
    ended.then(({ err }) => reject(new Error(err)), reject);
  });
  return { url, finish: () => ended };
}

async function login(username: string, args: string[] = [], program: typeof svcHere = svcHere) {
  const { url, finish } = await startLogin(args, program);
  const answered = await fetch(await signInByForm(service.url, url, username));
  return { ...(await finish()), page: await answered.text(), url };
}

describe('svc login', () => {
  test('signs a person in through the browser, and stores the session readable by its owner only', async () => {
    const { status, out, err, page, url } = await login('Grace', [], svc);
    expect(status, err).toBe(0);
    expect(page).toContain('You are signed in');
    expect(out).toContain('Signed in as grace');
    const asked = new URL(url).searchParams;
    expect(asked.get('client_id')).toBe('svc-cli');
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(statSync(profiles).mode & 0o777).toBe(0o600);
    const { session } = readProfile('default');
    expect(session).toMatchObject({ issuer: `${service.url}/identity`, client_id: 'svc-cli' });
    expect(session.expires_at).toBeGreaterThan(Date.now());
    expect(out + err).not.toContain(session.access_token);
  });

  test('the session is an account: whoami, keys and etches', async () => {
    await ends(run(['whoami', '--json']), 0, {
      json: {
        user: { username: 'grace' },
        account: { kind: 'human' },
        authenticated_with: { type: 'session' },
      },
    });
    const { api_key } = await jsonOf(run(['keys', 'create', 'mine', '--write', '--json']));
    await ends(run(['keys', 'list']), 0, { out: 'mine' });
    await ends(run(['etch', 'By a person.', '--description', 'One'], { SVC_API_KEY: api_key }), 0);
    await ends(run(['etch', 'By her session.', '--description', 'Two']), 0);
  });

  test('does not replace an agent’s profile, and adds another one', async () => {
    expect((await run(['register', '--profile', 'agent'])).status).toBe(0);
    const before = readFileSync(profiles, 'utf8');
    expect(await run(['login', '--profile', 'agent'])).toMatchObject({ status: 64 });
    expect(readFileSync(profiles, 'utf8')).toBe(before);
    expect(await login('Ada', ['--profile', 'ada'])).toMatchObject({ status: 0 });
    expect((await run(['whoami', '--profile', 'ada'])).out).toContain('ada ');
    expect((await run(['whoami'])).out).toContain('grace ');
  });

  test('rejects the callback of a different sign-in and a target that is no URL, and accepts the right one', async () => {
    const { url, finish } = await startLogin(['--profile', 'third']);
    const asked = new URL(url).searchParams;
    const callback = new URL(asked.get('redirect_uri')!);
    expect((await fetch(`${callback.href}?code=x&state=forged`)).status).toBe(400);
    expect((await fetch(new URL('/other', callback))).status).toBe(404);
    const elsewhere = `//elsewhere.example/callback?code=x&state=${asked.get('state')}`;
    for (const target of ['//', 'http://[', elsewhere, '*'])
      expect(await rawGet(callback, target), target).toMatch(/^HTTP\/1\.1 40[04] /);
    expect((await fetch(await signInByForm(service.url, url, 'Third'))).status).toBe(200);
    await ends(finish(), 0);
  });

  test('ends after a refusal, and after the timeout', async () => {
    const { url, finish } = await startLogin(['--profile', 'refused']);
    const asked = new URL(url).searchParams;
    const back = new URLSearchParams({
      error: 'access_denied',
      error_description: 'not today',
      state: asked.get('state')!,
      iss: `${service.url}/identity`,
    });
    expect((await fetch(`${asked.get('redirect_uri')}?${back}`)).status).toBe(400);
    await ends(finish(), 77, { err: 'not today' });
    await ends(run(['login', '--profile', 'late', '--timeout', '1']), 2);
  });

  test('rejects an opaque access token with the page for API keys, and stores no profile', async () => {
    const issuer = await startStub((origin) => ({
      '/.well-known/openid-configuration': {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
      },
      '/token': { access_token: 'ory_at_Zm9v.YmFy', token_type: 'bearer', expires_in: 600 },
    }));
    const { url, finish } = await startLogin(['--profile', 'opaque', '--issuer', issuer]);
    const asked = new URL(url).searchParams;
    await fetch(`${asked.get('redirect_uri')}?code=x&state=${asked.get('state')}`);
    await ends(finish(), 77, {
      err: [
        `${service.url} rejects the access token of ${issuer}`,
        'signed JSON Web Tokens',
        `${service.url}/account/keys`,
        'SVC_API_KEY',
      ],
      without: ['svc login', 'ory_at'],
    });
    expect(readProfile('opaque')).toBeUndefined();
  });

  test('requests no session for a different service without --resource', async () => {
    const identity = { issuer: `${service.url}/identity`, client_id: 'svc-cli', scope: 'openid' };
    const liar = await startStub(() => ({
      '/.well-known/svc.json': {
        ...wellKnown(receiptVector('valid/receipt-instant'), ''),
        identity: { ...identity, resource: service.url },
      },
    }));
    await ends(svcHere(['login', '--base-url', liar], { home: freshHome() }), 77, { err: '--resource' });
  });
});

describe('sessions end', () => {
  const old = { access_token: 'old', expires_at: 1, client_id: 'svc-cli' };
  function homeWith(session: object): string {
    const other = freshHome();
    mkdirSync(join(other, 'svc'));
    const profile = { base_url: service.url, username: 'grace', session };
    const value = { current: 'default', profiles: { default: profile } };
    writeFileSync(join(other, 'svc', 'profiles.json'), JSON.stringify(value));
    return other;
  }

  test('and are renewed with a refresh token', async () => {
    const fresh = readProfile('default').session.access_token;
    const seen: string[] = [];
    const issuer = await startStub(
      (origin) => ({
        '/.well-known/openid-configuration': { issuer: origin, token_endpoint: `${origin}/token` },
        '/token': { access_token: fresh, token_type: 'bearer', expires_in: 600, refresh_token: 'second' },
      }),
      (body) => void seen.push(body),
    );
    const other = homeWith({ ...old, refresh_token: 'first', issuer });
    await ends(svcHere(['whoami'], { home: other }), 0);
    expect(new URLSearchParams(seen.at(-1))).toEqual(
      new URLSearchParams({ refresh_token: 'first', grant_type: 'refresh_token', client_id: 'svc-cli' }),
    );
    const { profiles: all } = JSON.parse(readFileSync(join(other, 'svc', 'profiles.json'), 'utf8'));
    const kept = all.default.session;
    expect(kept).toMatchObject({ access_token: fresh, refresh_token: 'second' });
    expect(kept.expires_at).toBeGreaterThan(Date.now());
  });

  test('svc names the next step when the service rejects a request without a session', async () => {
    const other = homeWith({ ...old, issuer: 'http://127.0.0.1:9' });
    await ends(svcHere(['whoami'], { home: other }), 77, { err: 'svc login' });
  });

  test('svc logout deletes the session', async () => {
    expect((await run(['logout'])).status).toBe(0);
    expect(readProfile('default')).not.toHaveProperty('session');
    expect((await run(['logout'])).status).toBe(64);
  });
});

async function rawGet({ hostname, port }: URL, target: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

const stubs: LocalServer[] = [];
afterAll(() => Promise.all(stubs.map((stub) => stub.stop())));

async function startStub(
  answers: (origin: string) => Record<string, unknown>,
  seen: (body: string) => void = () => undefined,
): Promise<string> {
  let origin = '';
  const server = await startServer((request, response) => {
    void text(request).then((body) => {
      if (body !== '') seen(body);
      const found = answers(origin)[request.url!];
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
  });
  stubs.push(server);
  return (origin = server.url);
}
