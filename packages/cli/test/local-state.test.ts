import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receiptVector, trustOf } from '../../../testing/vectors/receipts.ts';
import { breakOff, json, startFaultServer } from '../../../testing/clients/fault-server.ts';
import { startService, type StubService, wellKnown } from './support/service.ts';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';
import { changeProfile } from '../src/profiles.ts';

const vector = receiptVector('valid/receipt-instant');
const stored = 'a'.repeat(64);
const another = 'b'.repeat(64);
let service: StubService;
let home: string;
const profiles = () => join(home, 'svc', 'profiles.json');
const readProfiles = () => JSON.parse(readFileSync(profiles(), 'utf8')).profiles;

beforeEach(async () => {
  home = freshHome();
  mkdirSync(join(home, 'svc'));
  service = await startService();
});
afterEach(() => service.close());

function takesKeys() {
  service.answers['/.well-known/svc.json'] = wellKnown(vector, 'http://127.0.0.1:9');
  service.answers['/api/v1/agents'] = ({ public_key }: { public_key: string }) => ({
    agent: { user_id: 'x', public_key },
    api_key: 'svc_sk_new',
  });
  service.answers['/api/v1/agents/keys'] = { key: { id: 'k' }, api_key: 'svc_sk_new' };
  service.answers['/api/v1/me'] = { user: { id: 'x', username: 'ada' } };
}
function keep(profile: object) {
  const value = { current: 'default', profiles: { default: { base_url: service.origin, ...profile } } };
  writeFileSync(profiles(), JSON.stringify(value));
}
function keyFile(key: string): string {
  const path = join(home, 'agent.key');
  writeFileSync(path, key);
  return path;
}
const register = (args: string[], env = {}) =>
  svcHere(['register', '--base-url', service.origin, ...args], { home, env });

const entries = () => readdirSync(join(home, 'svc')).sort();

describe('a stored secret key', () => {
  test('is not replaced by a failed recovery or without --force', async () => {
    keep({ api_key: 'svc_sk_old', secret_key: stored });
    const before = readFileSync(profiles(), 'utf8');
    const args = ['--recover', '--key', keyFile(another)];
    await ends(register([...args, '--force']), 66, { out: '' });
    await ends(register(args), 64, { out: '' });
    // Another process may have stored a key since the first look.
    for (const secret_key of [another, undefined])
      expect(() =>
        changeProfile(profiles(), 'default', () => ({ base_url: 'x', ...(secret_key && { secret_key }) })),
      ).toThrow(/has a different secret key: .*--force/);
    expect(readFileSync(profiles(), 'utf8')).toBe(before);
    expect(entries()).toEqual(['profiles.json']);
  });

  test('is replaced with --force after the service accepts the new key, and a copy is stored', async () => {
    takesKeys();
    const old = { api_key: 'svc_sk_old', secret_key: stored };
    keep(old);
    const { backup } = await jsonOf(register(['--recover', '--key', keyFile(another), '--force', '--json']));
    expect(readProfiles().default).toMatchObject({
      api_key: 'svc_sk_new',
      secret_key: another,
      username: 'ada',
    });
    expect(JSON.parse(readFileSync(backup, 'utf8')).default).toMatchObject(old);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  test('is reused when it is the same; a rejected new key leaves no profile', async () => {
    takesKeys();
    keep({ secret_key: stored });
    await ends(register(['--recover', '--key', keyFile(stored)]), 0);
    expect(readProfiles().default).toMatchObject({ api_key: 'svc_sk_new', secret_key: stored });
    delete service.answers['/api/v1/agents'];
    await ends(register(['--profile', 'second']), 66);
    expect(Object.keys(readProfiles())).toEqual(['default']);
    expect(entries()).toEqual(['profiles.json']);
  });
});

test('stores a new key pair whose registration got no answer in a file, which recovers the account', async () => {
  const lost = await startFaultServer();
  try {
    lost.fates = [json(200, wellKnown(vector, 'http://127.0.0.1:9')), breakOff];
    const ran = await ends(svcHere(['register', '--base-url', lost.url], { home }), 69, { out: '' });
    const [, file] = /stored in (\S+); get an API key with: svc register --recover --key/.exec(ran.err)!;
    expect(entries()).toEqual([basename(file!)]);
    expect(statSync(file!).mode & 0o777).toBe(0o600);
    takesKeys();
    await ends(register(['--recover', '--key', file!]), 0);
    expect(readProfiles().default).toMatchObject({
      base_url: service.origin,
      secret_key: readFileSync(file!, 'utf8').trim(),
    });
  } finally {
    await lost.close();
  }
});

describe('at once', () => {
  test('loses none of two hundred concurrent changes of profiles and pins', async () => {
    const dist = join(import.meta.dirname, '../dist');
    const facts = JSON.stringify({ trust: trustOf(vector), promiseKeys: [], logKeys: [], moves: [] });
    const script = `
      const { changeProfile } = await import('${dist}/profiles.js');
      const { addPin } = await import('${dist}/pins.js');
      const [, worker] = process.argv;
      for (let at = 0; at < 25; at++) {
        changeProfile('${profiles()}', \`p\${worker}-\${at}\`, () => ({ base_url: 'http://127.0.0.1:9' }));
        addPin('${join(home, 'svc', 'trust.json')}', \`https://s\${worker}-\${at}.example\`, ${facts});
      }`;
    const run = async (_: unknown, worker: number) => {
      const args = ['--input-type=module', '-e', script, String(worker)];
      return (await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close'))[0] as number;
    };
    const statuses = await Promise.all(Array.from({ length: 8 }, run));
    expect(statuses).toEqual(Array(8).fill(0));
    expect(Object.keys(readProfiles())).toHaveLength(200);
    expect(Object.keys(JSON.parse(readFileSync(join(home, 'svc', 'trust.json'), 'utf8')))).toHaveLength(200);
    expect(entries()).toEqual(['profiles.json', 'trust.json']);
  });

  test('removes the lock of a killed program', async () => {
    keep({});
    const lock = `${profiles()}.lock`;
    const { pid } = spawnSync(process.execPath, ['--version']);
    const hourAgo = new Date(Date.now() - 3_600_000);
    for (const owner of [`${pid} ${hostname()}`, '']) {
      writeFileSync(lock, owner);
      utimesSync(lock, hourAgo, hourAgo);
      await ends(svcHere(['profile', 'use', 'default'], { home }), 0);
      expect(entries()).toEqual(['profiles.json']);
    }
  });
});

describe('registering pins the service', () => {
  /** The stub by https, under a name that is not this machine's. */
  async function overTls<T>(work: (origin: string, env: Record<string, string>) => Promise<T>): Promise<T> {
    const [key, cert] = [join(home, 'tls.key'), join(home, 'tls.crt')];
    const args = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=stub', '-addext', 'subjectAltName=IP:0.0.0.0', '-keyout', key, '-out', cert];
    await promisify(execFile)('openssl', ['req', ...args, ...names]);
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      void forward(request).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(await answer.text());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    try {
      const origin = `https://0.0.0.0:${(server.address() as AddressInfo).port}`;
      return await work(origin, { NODE_EXTRA_CA_CERTS: cert });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const forward = async (request: IncomingMessage) =>
    fetch(service.origin + request.url!, {
      method: request.method!,
      ...(request.method === 'POST' && { body: await text(request) }),
    });
  const pins = () => JSON.parse(readFileSync(join(home, 'svc', 'trust.json'), 'utf8'));

  test('works over https, and rejects a service that publishes values other than the pinned ones', async () => {
    takesKeys();
    await overTls(async (origin, env) => {
      const at = (profile: string) =>
        svc(['register', '--base-url', origin, '--profile', profile], { home, env });
      await ends(at('one'), 0, { out: 'are pinned' });
      expect(pins()[origin]).toMatchObject({ relayers: vector.trust.relayers });
      const other = `0x${'7'.repeat(40)}`;
      service.answers['/.well-known/svc.json'] = wellKnown(vector, 'http://127.0.0.1:9', [other]);
      const asked = service.requests.length;
      await ends(at('two'), 1, { out: '', err: `became ${other}` });
      expect(service.requests.slice(asked)).toEqual(['/.well-known/svc.json']);
      expect(pins()[origin]).toMatchObject({ relayers: vector.trust.relayers });
      expect(Object.keys(readProfiles())).toEqual(['one']);
    });
  });

  test('but not on this machine, and not over plain http', async () => {
    takesKeys();
    const away = `http://0.0.0.0:${service.port}`;
    await ends(register(['--profile', 'here']), 0);
    await ends(svcHere(['register', '--base-url', away, '--profile', 'away'], { home }), 0);
    expect(entries()).toEqual(['profiles.json']);
  });
});
