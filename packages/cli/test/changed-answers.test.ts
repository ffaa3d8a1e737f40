import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshHome, type Ran } from '../../../testing/clients/svc.ts';
import type { Json } from '../../../testing/json.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  alterations,
  type ChangingService,
  leavesOf,
  nameOf,
  startChangingService,
  withChange,
} from '../../../testing/system/changing-service.ts';
import { isUnchecked } from '../../../testing/system/unchecked-fields.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { promiseKey } from './support/promise-key.ts';
import { svcHere } from './support/svc-here.ts';

const real = useSharedService();
const home = freshHome();
let service: ChangingService;

const run = (...args: string[]): Promise<Ran> => svcHere(args, { home, env: { SVC_BASE_URL: service.url } });

beforeAll(async () => {
  service = await startChangingService(real.url);
  const registered = await run('register', '--name', 'Tide watcher');
  expect(registered, registered.err).toMatchObject({ status: 0 });
}, 200_000);
afterAll(() => service.stop());

// packages/sdk/test/changed-answers.test.ts changes every field of every answer.
test.each([
  ['content', ['etch', 'High water at 14:12.', '--description', 'A tide'], 'content'],
  ['description', ['etch', 'High water at 14:13.', '--description', 'A tide'], 'description'],
  ['topic', ['etch', 'High water at 14:14.', '--description', 'A tide', '--topic', 'science'], 'category.id'],
  [
    'reveal_at',
    ['etch', 'High.', '--description', 'A tide', '--sealed-until', '2099-01-02T03:04:05Z'],
    'reveal_at',
  ],
])('svc etch fails when a proxy changes the %s, and keeps the answer', async (_, args, field) => {
  const path = field.split('.');
  service.change = (operation, body) =>
    operation === 'createEtch' ? withChange(body, ['etch', ...path], seeded(1)) : body;
  const { status, out, err } = await run(...args);
  service.change = undefined;
  expect({ status, out }, err).toEqual({ status: 1, out: '' });
  expect(err).toContain(`etch.${field} is "`);
  const [, file] = /stored as evidence in (\S+)/.exec(err)!;
  expect(JSON.parse(readFileSync(file!, 'utf8'))).toMatchObject({
    operation: 'createEtch',
    answer: { etch: {} },
  });
});

test('svc etch reports a missing pinned promise key, and compares with a pinned one', async () => {
  const etch = (text: string) => run('etch', text, '--description', 'A tide');
  const unpinned = await etch('Low water at 8:01.');
  expect(unpinned, unpinned.err).toMatchObject({ status: 0 });
  expect(unpinned.err).toContain(`Pin the key: svc trust ${service.url}`);
  expect(await run('trust', service.url)).toMatchObject({ status: 0 });
  expect(await etch('Low water at 8:02.')).toMatchObject({
    status: 0,
    err: expect.not.stringContaining('pinned'),
  });

  const stranger = promiseKey();
  const failing = async (text: string, change: (body: Json) => Json) => {
    service.change = (operation, body) => (operation === 'createEtch' ? change(body) : body);
    const ran = await etch(text);
    service.change = undefined;
    expect(ran, ran.err).toMatchObject({ status: 1, out: '' });
    return ran.err;
  };
  const forged = await failing('Low water at 8:03.', (body) => ({
    ...body,
    promise: stranger.promise(body.promise.text, body.promise.nonce),
  }));
  expect(forged).toContain(`promise.public_key is "${stranger.publicKey}", expected is "`);
  const without = await failing('Low water at 8:04.', ({ etch }) => ({ etch }));
  expect(without).toContain('promise is null, expected is "a promise');
  const unsigned = await failing('Low water at 8:05.', (body) =>
    withChange(body, ['promise', 'signature'], seeded(1)),
  );
  expect(unsigned).toContain('promise.signature is "');
});

test('svc verify never passes when a proxy changes or deletes a field that counts', async () => {
  const made = await run('etch', 'High water at 16:12.', '--description', 'A tide', '--json');
  const { id } = JSON.parse(made.out).etch;
  // The proxy repeats its first answer.
  const watched = await svcHere(['watch', id, '--timeout', '90'], { env: { SVC_BASE_URL: real.url } });
  expect(watched, watched.err).toMatchObject({ status: 0 });
  const args = ['verify', id, '--rpc', `${real.url}/rpc`];
  service.answered.length = 0;
  expect(await run(...args)).toMatchObject({ status: 0 });
  const { body } = service.answered.find(({ operation }) => operation === 'getReceipt')!;
  const dice = seeded(1);
  const passed: string[] = [];
  for (const leaf of leavesOf(body))
    for (const [how, changed] of alterations(body, leaf, dice)) {
      service.change = (operation, given) => (operation === 'getReceipt' ? changed : given);
      const field = nameOf(leaf);
      if ((await run(...args)).status === 0 && !isUnchecked('getReceipt', field, undefined))
        passed.push(`${how} ${field}`);
    }
  service.change = undefined;
  expect(passed).toEqual([]);
});
