import { generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorBy } from '@svc/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { receiptVector, receiptVectors } from '../../verifier/test/support/receipt-vectors.ts';
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
const pinsFile = () => join(home, 'svc', 'trust.json');
/** What `svc trust` would keep of this service. */
function pin(origin = service.origin, more: object = {}) {
  const { name: _, rpc_url: __, ...values } = wellKnown(vector, rpc.url).chain;
  mkdirSync(join(home, 'svc'), { recursive: true });
  writeFileSync(pinsFile(), JSON.stringify({ [origin]: { ...values, ...more } }));
}
afterEach(() => Promise.all([rpc.close(), service.close()]));

describe('an etch is found', () => {
  beforeEach(() => pin());
  const run = (args: string[], env: Record<string, string> = {}) => svc(['verify', ...args], { home, env });

  test('by its id at --base-url and at SVC_BASE_URL', async () => {
    expect(await run([id, '--base-url', service.origin])).toMatchObject({ status: 0 });
    expect(await run([id.toUpperCase()], { SVC_BASE_URL: service.origin })).toMatchObject({
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
    const { status, out } = await run([service.origin + path.replace('<id>', id)]);
    expect(status).toBe(0);
    expect(out).toContain(`which the service names; name your own with --rpc`);
  });

  test('by its code', async () => {
    service.answers['/e/abc234'] = { etch: { id } };
    expect(await run([`${service.origin}/e/abc234`])).toMatchObject({ status: 0 });
    expect(await run(['abc234', '--base-url', service.origin])).toMatchObject({ status: 0 });
    expect(await run([`${service.origin}/e/zzz999`])).toMatchObject({ status: 66 });
  });

  test('in a receipt published elsewhere', async () => {
    service.answers['/kept/receipt.json'] = vector.receipt;
    expect(
      await run([`${service.origin}/kept/receipt.json`, '--rpc', rpc.url, '--trust', service.origin]),
    ).toMatchObject({
      status: 0,
    });
  });

  test('or not', async () => {
    const unknown = '11111111-2222-4333-8444-555555555555';
    expect(await run([unknown, '--base-url', service.origin])).toMatchObject({
      status: 66,
      out: '',
    });
    service.answers[`/api/v1/etches/${unknown}/receipt`] = '<html>';
    expect(await run([unknown, '--base-url', service.origin])).toMatchObject({
      status: 66,
      out: '',
    });
  });

  test('another etch’s receipt in its place fails', async () => {
    const asked = '11111111-2222-4333-8444-555555555555';
    service.answers[`/api/v1/etches/${asked}/receipt`] = vector.receipt;
    expect(await run([asked, '--base-url', service.origin])).toMatchObject({ status: 1, out: '' });
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
  test('named by the pinned service is asked without --rpc, also for a file', async () => {
    const file = join(home, 'receipt.json');
    writeFileSync(file, JSON.stringify(publish(service, vector, rpc.url)));
    const unknown = await svc(['verify', file], { home });
    expect(unknown.status).toBe(2);
    expect(unknown.out).toContain(
      `INFO  the service asked is ${service.origin}, which only the receipt names`,
    );
    expect(rpc.requests).toBe(2);
    pin();
    const known = await svc(['verify', file], { home });
    expect(known.status, known.out).toBe(0);
    expect(known.out).not.toContain('only the receipt names');
  });

  test('given by --rpc is asked alone, and the service not at all for a file', async () => {
    const own = await startRpc(vector.chain);
    const file = join(home, 'receipt.json');
    writeFileSync(file, JSON.stringify(publish(service, vector, rpc.url)));
    pin();
    expect(await svc(['verify', file, '--rpc', own.url], { home })).toMatchObject({ status: 0 });
    expect({ service: service.requests, rpc: rpc.requests }).toEqual({ service: [], rpc: 0 });
    await own.close();
  });

  test('of a description with a key of promises that is none is used all the same', async () => {
    const key = promiseKey();
    const facts = wellKnown(vector, rpc.url);
    service.answers['/.well-known/svc.json'] = { ...facts, promise: { keys: ['none', key.publicKey] } };
    const told = await svc(['trust', service.origin, '--json'], { home });
    expect(JSON.parse(told.out).promise_keys).toEqual([key.publicKey]);
  });

  test('of a malformed description is not used', async () => {
    service.answers['/.well-known/svc.json'] = {
      chain: { ...wellKnown(vector, 'file:///etc').chain, relayers: 'all' },
    };
    expect(await svc(['verify', id, '--base-url', service.origin])).toMatchObject({ status: 2 });
  });
});

describe('trust', () => {
  const verify = (args: string[] = []) =>
    svc(['verify', id, '--base-url', service.origin, ...args], { home });
  const lastLine = ({ out }: { out: string }) => out.trimEnd().split('\n').at(-1);

  test('published by the service passes nothing, and fails a receipt that says otherwise', async () => {
    const { status, out } = await verify();
    expect(status).toBe(2);
    expect(lastLine({ out })).toContain(
      `which only the service says: pin the service with \`svc trust ${service.origin}\` if you know it`,
    );
    expect(JSON.parse((await verify(['--json'])).out)).toMatchObject({
      result: 'wait',
      trust: { source: 'service', pinned: false },
    });
    service.answers['/.well-known/svc.json'] = wellKnown(vector, rpc.url, [other]);
    expect((await verify()).status).toBe(1);
    expect(existsSync(pinsFile()), 'verify writes no pins').toBe(false);
  });

  test('named with --trust passes, and is not kept', async () => {
    const ran = await verify(['--trust', service.origin, '--json']);
    expect(ran.status, ran.out).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({ result: 'pass', trust: { source: 'trust', pinned: true } });
    expect(existsSync(pinsFile())).toBe(false);
  });

  test('is pinned by svc trust, holds when the service says something else later, and a change is shown', async () => {
    const { origin } = service;
    const first = await svc(['trust', origin], { home });
    expect(first).toMatchObject({
      status: 0,
      out: expect.stringContaining(vector.trust.relayers[0]!) as string,
    });
    expect(JSON.parse(readFileSync(pinsFile(), 'utf8'))).toEqual({
      [origin]: {
        chain_id: vector.trust.chain_id,
        attestation_contract: vector.trust.contract,
        schema_uid: vector.trust.schema_uid,
        relayers: vector.trust.relayers,
      },
    });
    expect(statSync(pinsFile()).mode & 0o777).toBe(0o600);
    expect(await verify(), 'pinned').toMatchObject({ status: 0 });

    const forged = receiptVector('invalid/receipt-attested-by-another');
    forged.receipt.etch_id = id;
    forged.receipt.chain.relayer = `0x${Object.values(forged.chain.eth_call)[0]!.slice(2 + 8 * 64 + 24, 2 + 9 * 64)}`;
    rpc.state = forged.chain;
    publish(service, forged, rpc.url, origin);
    service.answers['/.well-known/svc.json'] = wellKnown(forged, rpc.url, [forged.receipt.chain.relayer]);
    const before = readFileSync(pinsFile(), 'utf8');
    const later = await verify(['--rpc', rpc.url]);
    expect(later.status).toBe(1);
    expect(later.out).toContain(
      `relayers: ${vector.trust.relayers[0]} became ${forged.receipt.chain.relayer}`,
    );
    const again = await svc(['trust', origin], { home });
    expect(again).toMatchObject({ status: 1, out: '' });
    expect(again.err).toContain(`became ${forged.receipt.chain.relayer}`);
    expect(readFileSync(pinsFile(), 'utf8')).toBe(before);
    // Someone who meets the service only now cannot know better, so nothing passes.
    expect(await svc(['verify', id, '--base-url', origin])).toMatchObject({ status: 2 });
    expect(await svc(['trust', '--forget', origin], { home })).toMatchObject({ status: 0 });
    expect(await svc(['trust', origin], { home })).toMatchObject({ status: 0 });
    expect((await svc(['trust'], { home })).out).toContain(forged.receipt.chain.relayer);
    expect(await verify()).toMatchObject({ status: 0 });
  });

  test('over plain http elsewhere than on this machine is refused', async () => {
    const away = `http://0.0.0.0:${service.port}`;
    for (const args of [
      ['trust', away],
      ['verify', id, '--base-url', away, '--trust', away],
    ])
      expect(await svc(args, { home }), args.join(' ')).toMatchObject({
        status: 64,
        out: '',
        err: expect.stringContaining('plain http') as string,
      });
    expect(existsSync(pinsFile())).toBe(false);
  });

  test('in the keys of promises is pinned with it, and any other key waits', async () => {
    const [first, second] = [promiseKey(), promiseKey()];
    const publishKey = (key: string) => {
      const facts = wellKnown(vector, rpc.url);
      service.answers['/.well-known/svc.json'] = { ...facts, promise: { keys: [key] } };
    };
    const day = promisedDay(vector);
    const promised = async (by: ReturnType<typeof promiseKey>, until = day, answer: object | null = null) => {
      const file = join(home, 'promise.json');
      const { hash, author } = vector.receipt;
      const promise = by.sign(`svc-promise:v1|${id}|${author.user_id}|${hash}|${until}`);
      writeFileSync(file, JSON.stringify(answer === null ? promise : { ...answer, promise }));
      const ran = await verify(['--promise', file]);
      return `${ran.status} ${/The promise: (\S+)/.exec(ran.out)?.[1]}`;
    };
    publishKey(first.publicKey);
    expect(await promised(first), 'nothing is pinned').toBe('2 unknown-key');
    await svc(['trust', service.origin], { home });
    expect(JSON.parse(readFileSync(pinsFile(), 'utf8'))[service.origin].promise_keys).toEqual([
      first.publicKey,
    ]);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(first, '2099-01-01')).toBe('1 misdated');
    publishKey(second.publicKey);
    expect(await promised(first)).toBe('0 kept');
    expect(await promised(second)).toBe('2 unknown-key');
  });

  test('pinned holds for a file of that service too; a flag wins over it', async () => {
    pin();
    const file = join(home, 'receipt.json');
    const receipt = publish(service, vector, rpc.url);
    const run = (more: string[] = []) => svc(['verify', file, '--rpc', rpc.url, ...more], { home });
    writeFileSync(file, JSON.stringify({ ...receipt, chain: { ...receipt.chain, relayer: other } }));
    expect(await run()).toMatchObject({ status: 1 });
    writeFileSync(file, JSON.stringify(receipt));
    const good = await run();
    expect(good.status).toBe(0);
    expect(good.out).not.toContain('is what the receipt says');
    expect(await run(['--relayer', other])).toMatchObject({ status: 1 });
  });

  test('that is damaged is not replaced in silence', async () => {
    for (const text of ['{', 'null', JSON.stringify({ [service.origin]: { relayers: [] } })]) {
      pin();
      writeFileSync(pinsFile(), text);
      for (const args of [
        ['verify', id, '--base-url', service.origin],
        ['trust', service.origin],
      ]) {
        const { status, err } = await svc(args, { home });
        expect(status).toBe(64);
        expect(err).toContain(pinsFile());
        expect(readFileSync(pinsFile(), 'utf8')).toBe(text);
      }
    }
  });

  test('of an account’s key is the pinned service’s word, and says so', async () => {
    const signed = receiptVectors().find(
      ([, one]) => one.receipt.signature !== null && one.expect.overall === 'pass',
    )![1];
    rpc.state = signed.chain;
    const receipt = publish(service, signed, rpc.url);
    const { chain_id, ...rest } = wellKnown(signed, rpc.url).chain;
    pin(service.origin, {
      chain_id,
      attestation_contract: rest.attestation_contract,
      schema_uid: rest.schema_uid,
      relayers: rest.relayers,
    });
    const judged = async (public_key: string) => {
      const user = { user_id: receipt.author.user_id, public_key };
      service.answers[`/api/v1/users/${receipt.author.username}/etches?limit=1`] = { user, etches: [] };
      const { status, out } = await svc(['verify', receipt.etch_id, '--base-url', service.origin], { home });
      return [status, /The author: (\S+)\n +(.*)/.exec(out)?.slice(1)];
    };
    expect(await judged(receipt.signature!.public_key)).toEqual([
      0,
      [
        'signed',
        `The words are signed by the key that ${service.origin} lists for the account, which is its word.`,
      ],
    ]);
    expect(await judged('a'.repeat(64))).toMatchObject([1, ['other-key', expect.any(String) as string]]);
  });
});

/** The last day of a promise that fits the words of a receipt. */
const promisedDay = ({ receipt }: typeof vector) =>
  anchorBy(receipt.canonical_string!.split('|')[2]!.slice(0, 10));

function promiseKey() {
  const pair = generateKeyPairSync('ed25519');
  const publicKey = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
  const signed = (text: string) => sign(null, Buffer.from(text), pair.privateKey).toString('hex');
  return { publicKey, sign: (text: string) => ({ text, public_key: publicKey, signature: signed(text) }) };
}
