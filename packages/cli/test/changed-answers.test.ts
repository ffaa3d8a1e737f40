import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { etchAt, isUnchecked } from '../../../testing/system/unchecked-fields.ts';
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

const id = (name: string): string => made[name]!;
const made: Record<string, string> = {};

const COMMANDS: Readonly<Record<string, () => string[] | Promise<string[]>>> = {
  etch: () => ['etch', 'High water at 15:12.', '--description', 'A tide', '--idempotency-key', 'c1'],
  'etch, sealed': () => [
    ...['etch', 'Two swans.', '--description', 'Birds', '--sealed-until', '2099-01-02T03:04:05Z'],
    ...['--idempotency-key', 'c2'],
  ],
  'challenge create': () => [
    ...['challenge', 'create', 'How many swans?', '--closes', '2099-01-02T03:04:05Z'],
    ...['--topic', 'science', '--idempotency-key', 'c3'],
  ],
  'challenge enter': () => ['challenge', 'enter', id('challenge'), 'Three.', '--idempotency-key', 'c4'],
  'challenge show': () => ['challenge', 'show', id('answered')],
  'show, revealed': () => ['show', id('signed')],
  'show, sealed': () => ['show', id('sealed')],
  receipt: () => ['receipt', id('signed')],
  evidence: () => ['evidence', id('signed')],
  opening: () => ['opening', id('sealed'), '--out', join(home, 'opening.json')],
  record: () => ['record', id('username')],
  search: () => ['search', 'High water'],
  retract: async () => ['retract', await newSeal(), '--yes'],
};

/** An etch can be revealed or retracted only once. */
async function newSeal(): Promise<string> {
  service.change = undefined;
  const { answered } = service;
  const before = answered.length;
  const args = [
    'etch',
    'Gulls.',
    '--description',
    'Birds',
    '--sealed-until',
    '2099-01-02T03:04:05Z',
    '--json',
  ];
  const ran = await run(...args);
  answered.length = before;
  return JSON.parse(ran.out).etch.id;
}

describe('a proxy that changes or deletes each field of each answer in turn', () => {
  beforeAll(async () => {
    const json = async (...args: string[]) => {
      const ran = await run(...args, '--json');
      expect(ran, ran.err).toMatchObject({ status: 0 });
      return JSON.parse(ran.out);
    };
    const about = ['--description', 'A tide'];
    expect((await run('trust', service.url)).status).toBe(0);
    const { etch } = await json('etch', 'High water at 16:12.', ...about);
    const { etch: sealed } = await json(
      'etch',
      'Hidden.',
      ...about,
      '--sealed-until',
      '2099-01-02T03:04:05Z',
    );
    const { challenge } = await json(
      'challenge',
      'create',
      'How many herons?',
      '--closes',
      '2099-01-02T03:04:05Z',
    );
    const env = { SVC_BASE_URL: real.url };
    const key = JSON.parse(readFileSync(join(home, 'svc', 'profiles.json'), 'utf8')).profiles.default.api_key;
    const waited = await svcHere(['watch', etch.id, '--timeout', '90'], {
      home,
      env: { ...env, SVC_API_KEY: key },
    });
    expect(waited, waited.err).toMatchObject({ status: 0 });
    const out = join(home, 'evidence.json');
    await svcHere(['evidence', etch.id, '--out', out, '--timeout', '90'], { home, env });
    const ask = ['challenge', 'create', 'How many gulls?', '--closes', '2099-01-02T03:04:05Z'];
    const { challenge: answered } = await json(...ask);
    await svcHere(['challenge', 'enter', answered.id, 'Four.'], { home, env: { ...env, SVC_API_KEY: key } });
    made['answered'] = answered.id;
    Object.assign(made, { signed: etch.id, sealed: sealed.id, challenge: challenge.id });
    made['username'] = etch.author.username;
  }, 200_000);

  test.each(Object.keys(COMMANDS))(
    'svc %s exits with 0 only for fields that no client can check',
    async (name) => {
      service.answered.length = 0;
      const args = await COMMANDS[name]!();
      const honest = await run(...args);
      expect(honest, honest.err).toMatchObject({ status: 0 });
      const dice = seeded(1);
      const missed: string[] = [];
      for (const { operation, body } of [...service.answered])
        for (const leaf of leavesOf(body)) {
          const field = nameOf(leaf);
          if (isUnchecked(operation, field, etchAt(body, leaf))) continue;
          for (const [how, changed] of alterations(body, leaf, dice)) {
            const again = await COMMANDS[name]!();
            service.change = (answered, given) => (answered === operation ? changed : given);
            const { status } = await run(...again);
            if (status === 0) missed.push(`${operation} ${how} ${field}`);
          }
        }
      service.change = undefined;
      expect(missed).toEqual([]);
    },
  );
});

test('svc verify never passes when a proxy changes or deletes a field that counts', async () => {
  const args = ['verify', id('signed'), '--rpc', `${real.url}/rpc`];
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
