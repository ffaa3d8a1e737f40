import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { etchAnswer } from '../../../testing/clients/example-answers.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';
import { promiseKey } from './support/promise-key.ts';
import { usePublished } from './support/published.ts';
import { save } from './support/saved.ts';
import { publish, wellKnown } from './support/service.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const reader = usePublished();
const { vector, id } = reader;
const other = '99999999-2222-4333-8444-555555555555';
const there = () => ['--base-url', reader.service.origin];
const { evidence } = readVector('valid/evidence-tree-among-20');

describe('an etch is found', () => {
  beforeEach(() => reader.pin());
  const run = (args: string[], env: Record<string, string> = {}) =>
    svcHere(['verify', ...args], { home: reader.home, env });

  test('by its id at --base-url and at SVC_BASE_URL', async () => {
    await ends(run([id, ...there()]), 0);
    await ends(run([id.toUpperCase()], { SVC_BASE_URL: reader.service.origin }), 0);
  });

  test.each([
    '/e/<id>',
    '/e/<id>/verify',
    '/api/v1/etches/<id>',
    '/api/v1/etches/<id>/receipt',
    '/api/v1/verify/<id>',
  ])('by its url %s', async (path) => {
    await ends(run([reader.service.origin + path.replace('<id>', id)]), 0, {
      out: `an endpoint that the service names; name your own with --rpc`,
    });
  });

  test('by its code', async () => {
    const base = 'https://svc.example.org';
    const [url, short_url] = [`${base}/e/${id}`, `${base}/e/abc234`];
    const links = { url, short_url, verify_url: `${url}/verify` };
    reader.service.answers['/e/abc234'] = { etch: { ...etchAnswer.etch, id, code: 'abc234', ...links } };
    await ends(run([`${reader.service.origin}/e/abc234`]), 0);
    await ends(run(['abc234', ...there()]), 0);
    await ends(run([`${reader.service.origin}/e/zzz999`]), 66);
  });

  test('in a receipt published elsewhere', async () => {
    const { origin, answers } = reader.service;
    answers['/kept/receipt.json'] = vector.receipt;
    await ends(run([`${origin}/kept/receipt.json`, '--rpc', reader.rpc.url, '--trust', origin]), 0);
  });

  test('fails when it is not found', async () => {
    await ends(run([other, ...there()]), 66, { out: '' });
    reader.service.answers[`/api/v1/etches/${other}/receipt`] = '<html>';
    await ends(run([other, ...there()]), 66, { out: '' });
  });

  test.each([
    ['receipt', vector.receipt],
    ['evidence', evidence],
  ])('fails on %s of another etch, as svc open does', async (_, answer) => {
    reader.service.answers[`/api/v1/etches/${other}/receipt`] = answer;
    const failed = { out: '', err: 'returned the receipt of etch' };
    await ends(run([other, ...there()]), 1, failed);
    await ends(svcHere(['open', other, ...there()], { home: reader.home }), 1, failed);
  });
});

test('sends each request to a service through the SDK', () => {
  const folder = join(import.meta.dirname, '../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(30);
  // The exceptions: drand relays, identity providers, receivers of webhooks and messages, and documents of a domain or
  // a rule are not our services. The verifier reads the log of trees and its index. An audit passes its own `fetch` to the SDK,
  // which asks a local service for uncompressed answers.
  const asking = files.filter((file) => /\bfetch\(/.test(readFileSync(join(folder, file), 'utf8')));
  expect(asking.sort()).toEqual([
    'audit/job.ts',
    'bounded-fetch.ts',
    'deliver.ts',
    'public-fetch.ts',
    'sign-in.ts',
  ]);
});

describe('the endpoint', () => {
  const run = (...args: string[]) => svcHere(args, { home: reader.home });
  const published = () => save(publish(reader.service, vector, reader.rpc.url));

  test('is that of the pinned service without --rpc, also for a file', async () => {
    const file = published();
    // A stranger's receipt leads to no host of this machine.
    await ends(run('verify', file), 2, { out: 'or the service with --base-url' });
    expect({ service: reader.service.requests, rpc: reader.rpc.requests }).toEqual({ service: [], rpc: 0 });
    await ends(run('verify', file, '--base-url', reader.service.origin), 2, {
      out: `INFO  only the receipt names the service ${reader.service.origin}`,
    });
    expect(reader.rpc.requests).toBe(2);
    reader.pin();
    await ends(run('verify', file), 0, { without: 'only the receipt names' });
  });

  test('is only that of --rpc, and a file needs no request to the service', async () => {
    const own = await startRpc(vector.chain);
    const file = published();
    reader.pin();
    await ends(run('verify', file, '--rpc', own.url), 0);
    expect({ service: reader.service.requests, rpc: reader.rpc.requests }).toEqual({ service: [], rpc: 0 });
    await own.close();
  });

  test('is used even if the service info has a malformed promise key, and not if its chain is malformed', async () => {
    const { publicKey } = promiseKey();
    const facts = wellKnown(vector, reader.rpc.url);
    const { answers } = reader.service;
    answers['/.well-known/svc.json'] = { ...facts, promise: { keys: ['none', publicKey] } };
    await ends(run('trust', reader.service.origin, '--json'), 0, { json: { promise_keys: [publicKey] } });
    const { chain } = wellKnown(vector, 'file:///etc');
    answers['/.well-known/svc.json'] = { chain: { ...chain, relayers: 'all' } };
    await ends(svcHere(['verify', id, ...there()]), 2);
  });
});
