import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receiptVector } from '../../verifier/test/support/receipt-vectors.ts';
import { startRpc } from '../../verifier/test/support/rpc-server.ts';
import type { RpcServer } from '../../verifier/test/support/rpc-server.ts';
import { publish, startService, wellKnown } from './support/service.ts';
import type { StubService } from './support/service.ts';
import { freshHome, svc } from './support/svc.ts';

const vector = receiptVector('valid/receipt-instant');
const id = vector.receipt.etch_id;
const other = `0x${'7'.repeat(40)}`;

let rpc: RpcServer;
let service: StubService;
let home: string;
beforeEach(async () => {
  home = freshHome();
  rpc = await startRpc(vector.chain);
  service = await startService();
  publish(service, vector, rpc.url);
});
afterEach(() => Promise.all([rpc.close(), service.close()]));

describe('an etch is found', () => {
  test('by its id at --base-url and at SVC_BASE_URL', async () => {
    expect(await svc(['verify', id, '--base-url', service.origin])).toMatchObject({ status: 0 });
    expect(await svc(['verify', id.toUpperCase()], { env: { SVC_BASE_URL: service.origin } })).toMatchObject({
      status: 0,
    });
  });

  test.each([
    '/e/<id>',
    '/e/<id>/verify',
    '/api/v1/etches/<id>',
    '/api/v1/etches/<id>/receipt',
    '/api/v1/verify/<id>',
  ])('by its url %s', async (path) => {
    const { status, out } = await svc(['verify', service.origin + path.replace('<id>', id)]);
    expect(status).toBe(0);
    expect(out).toContain(`which the service names; name your own with --rpc`);
  });

  test('by its code', async () => {
    service.answers['/e/abc234'] = { etch: { id } };
    expect(await svc(['verify', `${service.origin}/e/abc234`])).toMatchObject({ status: 0 });
    expect(await svc(['verify', 'abc234', '--base-url', service.origin])).toMatchObject({ status: 0 });
    expect(await svc(['verify', `${service.origin}/e/zzz999`])).toMatchObject({ status: 66 });
  });

  test('in a receipt published elsewhere', async () => {
    service.answers['/kept/receipt.json'] = vector.receipt;
    expect(await svc(['verify', `${service.origin}/kept/receipt.json`, '--rpc', rpc.url])).toMatchObject({
      status: 0,
    });
  });

  test('or not', async () => {
    const unknown = '11111111-2222-4333-8444-555555555555';
    expect(await svc(['verify', unknown, '--base-url', service.origin])).toMatchObject({
      status: 66,
      out: '',
    });
    service.answers[`/api/v1/etches/${unknown}/receipt`] = '<html>';
    expect(await svc(['verify', unknown, '--base-url', service.origin])).toMatchObject({
      status: 66,
      out: '',
    });
  });

  test('another etch’s receipt in its place fails', async () => {
    const asked = '11111111-2222-4333-8444-555555555555';
    service.answers[`/api/v1/etches/${asked}/receipt`] = vector.receipt;
    expect(await svc(['verify', asked, '--base-url', service.origin])).toMatchObject({ status: 1, out: '' });
  });
});

test('whatever is asked of a service goes through the SDK', () => {
  const folder = join(import.meta.dirname, '../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => /\bfetch\(/.test(readFileSync(join(folder, file), 'utf8')))).toEqual([]);
});

describe('the endpoint', () => {
  test('named by the service is asked without --rpc, also for a file', async () => {
    const file = join(home, 'receipt.json');
    writeFileSync(file, JSON.stringify(publish(service, vector, rpc.url)));
    const { status, out } = await svc(['verify', file]);
    expect(status).toBe(0);
    expect(out).toContain(`INFO  the service asked is ${service.origin}, which only the receipt names`);
    expect(rpc.requests).toBe(2);
    expect((await svc(['verify', id, '--base-url', service.origin])).out).not.toContain(
      'only the receipt names',
    );
  });

  test('given by --rpc is asked alone, and the service not at all for a file', async () => {
    const own = await startRpc(vector.chain);
    const file = join(home, 'receipt.json');
    writeFileSync(file, JSON.stringify(publish(service, vector, rpc.url)));
    expect(await svc(['verify', file, '--rpc', own.url])).toMatchObject({ status: 0 });
    expect({ service: service.requests, rpc: rpc.requests }).toEqual({ service: [], rpc: 0 });
    await own.close();
  });

  test('of a description with a key of promises that is none is used all the same', async () => {
    const key = promiseKey();
    const facts = wellKnown(vector, rpc.url);
    service.answers['/.well-known/svc.json'] = { ...facts, promise: { keys: ['none', key.publicKey] } };
    const file = join(home, 'promise.json');
    const { hash, author } = vector.receipt;
    const text = `svc-promise:v1|${id}|${author.user_id}|${hash}|2099-01-01`;
    writeFileSync(file, JSON.stringify(key.sign(text)));
    const { out } = await svc(['verify', id, '--base-url', service.origin, '--promise', file]);
    expect(out).toContain('PASS  The promise: kept');
  });

  test('of a malformed description is not used', async () => {
    service.answers['/.well-known/svc.json'] = {
      chain: { ...wellKnown(vector, 'file:///etc').chain, relayers: 'all' },
    };
    expect(await svc(['verify', id, '--base-url', service.origin])).toMatchObject({ status: 2 });
  });
});

describe('trust', () => {
  // A service on this machine is not remembered, so it is reached by the address that is no loopback address by name.
  const away = () => `http://0.0.0.0:${service.port}`;
  const pins = () => join(home, 'svc', 'trust.json');

  test('published by the service counts, and fails a receipt that says otherwise', async () => {
    service.answers['/.well-known/svc.json'] = wellKnown(vector, rpc.url, [other]);
    const { status, out } = await svc(['verify', id, '--base-url', service.origin], { home });
    expect(status).toBe(1);
    expect(out).toContain(`relayer ${other} is what the service says`);
  });

  test('is remembered at the first contact, and holds when the service says something else later', async () => {
    const first = await svc(['verify', id, '--base-url', away()], { home });
    expect(first.status).toBe(0);
    expect(first.out).toContain('first contact');
    expect(JSON.parse(readFileSync(pins(), 'utf8'))).toEqual({
      [away()]: {
        chain_id: vector.trust.chain_id,
        attestation_contract: vector.trust.contract,
        schema_uid: vector.trust.schema_uid,
        relayers: vector.trust.relayers,
      },
    });
    expect(statSync(pins()).mode & 0o777).toBe(0o600);

    const forged = receiptVector('invalid/receipt-attested-by-another');
    forged.receipt.etch_id = id;
    forged.receipt.chain.relayer = `0x${Object.values(forged.chain.eth_call)[0]!.slice(2 + 8 * 64 + 24, 2 + 9 * 64)}`;
    rpc.state = forged.chain;
    publish(service, forged, rpc.url, away());
    service.answers['/.well-known/svc.json'] = wellKnown(forged, rpc.url, [forged.receipt.chain.relayer]);
    const later = await svc(['verify', id, '--base-url', away()], { home });
    expect(later.status).toBe(1);
    expect(later.out).toContain('remembered');
    // Someone who meets the service only now cannot know better.
    expect(await svc(['verify', id, '--base-url', away()])).toMatchObject({ status: 0 });
  });

  test('in the keys of promises is remembered with it', async () => {
    const [first, second] = [promiseKey(), promiseKey()];
    const publishKey = (key: string) => {
      const facts = wellKnown(vector, rpc.url);
      service.answers['/.well-known/svc.json'] = { ...facts, promise: { keys: [key] } };
    };
    const promised = async (by: ReturnType<typeof promiseKey>) => {
      const file = join(home, 'promise.json');
      const { hash, author } = vector.receipt;
      writeFileSync(
        file,
        JSON.stringify(by.sign(`svc-promise:v1|${id}|${author.user_id}|${hash}|2099-01-01`)),
      );
      const ran = await svc(['verify', id, '--base-url', away(), '--promise', file], { home });
      return `${ran.status} ${/The promise: (\S+)/.exec(ran.out)?.[1]}`;
    };
    publishKey(first.publicKey);
    expect(await promised(first)).toBe('0 kept');
    expect(JSON.parse(readFileSync(pins(), 'utf8'))[away()].promise_keys).toEqual([first.publicKey]);
    publishKey(second.publicKey);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(second)).toBe('1 unknown-key');
  });

  test('remembered holds for a file of that service too; a flag wins over it', async () => {
    await svc(['verify', id, '--base-url', away()], { home });
    const file = join(home, 'receipt.json');
    const receipt = publish(service, vector, rpc.url, away());
    writeFileSync(file, JSON.stringify({ ...receipt, chain: { ...receipt.chain, relayer: other } }));
    expect(await svc(['verify', file, '--rpc', rpc.url], { home })).toMatchObject({ status: 1 });
    writeFileSync(file, JSON.stringify(receipt));
    const good = await svc(['verify', file, '--rpc', rpc.url], { home });
    expect(good.status).toBe(0);
    expect(good.out).not.toContain('is what the receipt says');
    expect(await svc(['verify', file, '--rpc', rpc.url, '--relayer', other], { home })).toMatchObject({
      status: 1,
    });
  });

  test('of a service on this machine is not remembered: its chain comes and goes', async () => {
    expect(await svc(['verify', id, '--base-url', service.origin], { home })).toMatchObject({ status: 0 });
    expect(existsSync(pins())).toBe(false);
  });

  test('that is damaged is not replaced in silence', async () => {
    await svc(['verify', id, '--base-url', away()], { home });
    for (const text of ['{', 'null', JSON.stringify({ [away()]: { relayers: [] } })]) {
      writeFileSync(pins(), text);
      const { status, err } = await svc(['verify', id, '--base-url', away()], { home });
      expect(status).toBe(64);
      expect(err).toContain(pins());
      expect(readFileSync(pins(), 'utf8')).toBe(text);
    }
  });
});

function promiseKey() {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const signed = (text: string) => sign(null, Buffer.from(text), pair.privateKey).toString('hex');
  return { publicKey, sign: (text: string) => ({ text, public_key: publicKey, signature: signed(text) }) };
}
