import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, type Ran } from '../../../testing/clients/svc.ts';
import type { Json } from '../../../testing/json.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  type ChangingService,
  startChangingService,
  withChange,
} from '../../../testing/system/changing-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { promiseKey } from './support/promise-key.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

const real = useSharedService();
const home = freshHome();
let service: ChangingService;

const run = (...args: string[]): Promise<Ran> => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });

beforeAll(async () => {
  service = await startChangingService(real.url);
  await ends(run('register', '--name', 'Tide watcher'), 0);
});
afterAll(() => service.stop());

// packages/sdk/test/changed-answers.test.ts changes every field of every answer.
test('svc etch fails when a proxy changes the content, and keeps the answer', async () => {
  service.change = (operation, body) =>
    operation === 'createEtch' ? withChange(body, ['etch', 'content'], seeded(1)) : body;
  const { err } = await ends(run('etch', 'High water at 14:12.', '--description', 'A tide'), 1, { out: '' });
  service.change = undefined;
  expect(err).toContain('etch.content is "');
  const [, file] = /stored as evidence in (\S+)/.exec(err)!;
  expect(JSON.parse(readFileSync(file!, 'utf8'))).toMatchObject({
    operation: 'createEtch',
    answer: { etch: {} },
  });
});

test('svc etch reports a missing pinned promise key, and compares with a pinned one', async () => {
  const etch = (text: string) => run('etch', text, '--description', 'A tide');
  await ends(etch('Low water at 8:01.'), 0, { err: `Pin the key: svc trust ${service.url}` });
  await ends(run('trust', service.url), 0);
  await ends(etch('Low water at 8:02.'), 0, { without: 'pinned' });

  const stranger = promiseKey();
  const failing = async (text: string, err: string, change: (body: Json) => Json) => {
    service.change = (operation, body) => (operation === 'createEtch' ? change(body) : body);
    await ends(etch(text), 1, { out: '', err });
    service.change = undefined;
  };
  const other = `promise.public_key is "${stranger.publicKey}", expected is "`;
  await failing('Low water at 8:03.', other, ({ promise, ...body }) => ({
    ...body,
    promise: stranger.promise(promise.text, promise.nonce),
  }));
  const none = 'promise is null, expected is "a promise';
  await failing('Low water at 8:04.', none, ({ etch: made }) => ({ etch: made }));
  await failing('Low water at 8:05.', 'promise.signature is "', (body) =>
    withChange(body, ['promise', 'signature'], seeded(1)),
  );
});

// packages/verifier/test/flips.test.ts changes every field of a receipt.
test('svc verify never passes when a proxy changes a field that counts', async () => {
  const { etch } = await jsonOf(run('etch', 'High water at 16:12.', '--description', 'A tide', '--json'));
  // The proxy repeats its first answer.
  await ends(svcHere(['watch', etch.id, '--timeout', '90'], { env: { SVC_BASE_URL: real.url } }), 0);
  const args = ['verify', etch.id, '--rpc', `${real.url}/rpc`];
  await ends(run(...args), 0);
  for (const field of [['canonical_string'], ['chain', 'attestation_uid'], ['inclusion', 'root']]) {
    service.change = (operation, body) =>
      operation === 'getReceipt' ? withChange(body, field, seeded(1)) : body;
    expect((await run(...args)).status, field.join('.')).not.toBe(0);
  }
  service.change = undefined;
});
