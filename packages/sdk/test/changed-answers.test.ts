import { ROUTES } from '@svc/contract';
import type { OperationId } from '@svc/contract/types';
import { QUICKNET } from '@svc/protocol/timelock';
import { createClient, generateKeyPair, signOperator } from '@svc/sdk';
import type { Client, Etch } from '@svc/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../testing/json.ts';
import { seeded } from '../../../testing/seeded.ts';
import {
  type ChangingService,
  leavesOf,
  nameOf,
  startChangingService,
  valueAt,
  withChange,
  withoutField,
} from '../../../testing/system/changing-service.ts';
import { useSharedService } from '../../../testing/system/running-service.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import {
  etchAt,
  inEtch,
  isUnchecked,
  UNCHECKED,
  WORD_OF_THE_SERVICE,
} from '../../../testing/system/unchecked-fields.ts';

const SEED = 1;
const real = useSharedService();
const keyPair = generateKeyPair();
const exampleKey = ROUTES.linkOperator.success.example.agent.public_key;
const exampleHook = ROUTES.createWebhook.success.example.webhook;
const LATER = '2099-01-02T03:04:05.678Z';
const about = { description: 'A bird', category_id: 'science' } as const;
const instant = { content: 'A heron at the weir.', mode: 'instant', ...about } as const;
let service: ChangingService;
let client: Client;
let world: Record<'signed' | 'sealed' | 'gone', Etch> &
  Record<'challenge' | 'answer' | 'username' | 'spareKey', string>;

beforeAll(async () => {
  service = await startChangingService(real.url);
  const stranger = createClient({ baseUrl: service.url });
  const { agent, apiKey } = await stranger.registerAgent(keyPair, { displayName: 'Ada' });
  const { trust, promiseKeys } = await stranger.facts();
  client = createClient({ baseUrl: service.url, apiKey, pins: { trust, promiseKeys } });
  const writer = createClient({ baseUrl: real.url, apiKey });
  const { etch: signed } = await writer.etch(instant, { sign: keyPair });
  const { etch: sealed } = await writer.etch({ ...instant, mode: 'delayed', reveal_at: LATER });
  const { etch: gone } = await writer.etch({ ...instant, content: 'Better not.' });
  await writer.retract(gone.id);
  const asked = { question: 'How many herons by Sunday?', category_id: 'science', reveal_at: LATER } as const;
  const { challenge } = await writer.createChallenge(asked);
  const entry = { content: '41', category_id: 'science', mode: 'delayed' } as const;
  const { etch: answer } = await writer.etch({ ...entry, challenge_id: challenge.id });
  world = {
    signed: await writer.waitForAnchored(signed.id),
    sealed,
    gone,
    challenge: challenge.id,
    answer: answer.id,
    username: agent.username,
    spareKey: (await writer.keys.create('spare')).key.id,
  };
  await writer.follow('etch', sealed.id);
  // The service is shared, so its feed may rank other etches first.
  const page = { limit: 1, has_more: true, next_cursor: 'sGq0TtN2m0b1vQ' };
  service.given.set('getFeed', { status: 200, body: { personalized: true, etches: [sealed], page } });
  for (const operation of ['registerAgent', 'setDomain', 'linkOperator', 'createWebhook'] as const) {
    const { status, example } = ROUTES[operation].success;
    service.given.set(operation, { status, body: example });
  }
  const { signature } = readVector('valid/openings').beacon;
  service.given.set('getBeacon', { status: 200, body: { chain: QUICKNET.hash, round: 1_000, signature } });

  await writer.waitForEvidence(signed.id, { timeoutMs: 90_000 });
}, 200_000);
afterAll(() => service.stop());

/** By operation, and what differs between two calls of one. */
const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'createEtch, instant': (client) => client.etch(instant, { sign: keyPair, idempotencyKey: 'a' }),
  'createEtch, sealed': (client) =>
    client.etch(
      { ...instant, mode: 'delayed', reveal_at: '2099-01-02T04:04:05.678+01:00' },
      { idempotencyKey: 'b' },
    ),
  createChallenge: (client) =>
    client.createChallenge(
      { question: 'How many swans?', category_id: 'science', reveal_at: LATER },
      { idempotencyKey: 'c' },
    ),
  'getEtch, revealed': (client) => client.getEtch(world.signed.id),
  'getEtch, sealed': (client) => client.getEtch(world.sealed.id),
  'getEtch, in a challenge': (client) => client.getEtch(world.answer),
  'getEtch, retracted': (client) => client.getEtch(world.gone.id),
  getReceipt: (client) => client.receipt(world.signed.id),
  getEvidence: (client) => client.evidence(world.signed.id),
  getOpening: (client) => client.opening(world.sealed.id),
  getChallenge: (client) => client.getChallenge(world.challenge),
  listUserEtches: (client) => client.record(world.username).first(),
  findEtchByHash: (client) => client.findEtch(world.sealed.hash),
  revealEtch: (client) => client.reveal(world.signed.id),
  retractEtch: (client) => client.retract(world.sealed.id),
  getBeacon: (client) => client.beacon(QUICKNET.hash, 1_000),
  getBatch: (client) => client.batch(world.signed.chain.root!),
  verifyEtch: (client) => client.verifyByService(world.signed.id),
  searchEtches: (client) => client.search({ q: 'A bird', page: 1, limit: 1 }).first(),
  getFeed: (client) => client.feed({ limit: 1 }).first(),
  updateMe: (client) => client.rename('Ada of the harbor'),
  createKey: (client) => client.keys.create('nightly report'),
  revokeKey: async (client) => client.keys.revoke(world.spareKey),
  follow: (client) => client.follow('etch', world.sealed.id),
  listWatching: (client) => client.watching(),
  registerAgent: (client) => {
    const { public_key, display_name, agent_url } = ROUTES.registerAgent.success.example.agent;
    const signed = { public_key, signature: 'a'.repeat(128), issued_at: LATER };
    return client.call('registerAgent', { body: { ...signed, display_name, agent_url: agent_url! } });
  },
  setDomain: (client) => client.setDomain('agents.example.org'),
  linkOperator: (client) =>
    client.linkOperator({ ...signOperator(keyPair, world.signed.author.user_id), public_key: exampleKey }),
  createWebhook: (client) => client.webhooks.create({ url: exampleHook.url, types: exampleHook.types }),
};
const operationOf = (name: string) => name.split(',')[0] as OperationId;

const unnoticed = new Map<string, Set<string>>();

test.each(Object.entries(CALLS))(
  '%s: a changed field is rejected, unless no client can check it',
  async (name, run) => {
    const operation = operationOf(name);
    service.change = undefined;
    service.answered.length = 0;
    await run(client);
    const { body } = service.answered.findLast((one) => one.operation === operation)!;
    const dice = seeded(SEED);
    const missed: string[] = [];
    for (const leaf of leavesOf(body)) {
      const isRejected = async (changed: Json): Promise<boolean> => {
        service.change = (answered, given) => (answered === operation ? changed : given);
        return run(client).then(
          () => false,
          (error: unknown) => error instanceof Error,
        );
      };
      const at = nameOf(leaf);
      const isChecked = !isUnchecked(operation, at, etchAt(body, leaf));
      if (isChecked && valueAt(body, leaf) !== null && !(await isRejected(withoutField(body, leaf))))
        missed.push(`without ${at}`);
      if (await isRejected(withChange(body, leaf, dice))) continue;
      if (isChecked) missed.push(at);
      const field = inEtch(at);
      const of = field === undefined ? operation : 'an etch';
      unnoticed.set(of, (unnoticed.get(of) ?? new Set()).add(field ?? at));
    }
    service.change = undefined;
    expect(missed).toEqual([]);
  },
);

test('each field listed as unchecked can change without an error', () => {
  // A tree size that needs a proof of a different length, and a status `anchored` without a proof, are
  // detected.
  const depends = (field: string): boolean => field.endsWith('tree_size') || field === 'chain.status';
  const listed = UNCHECKED.flatMap(({ of, fields }) =>
    fields.filter(
      (field) => !depends(field) && unnoticed.get(of.includes(' ') ? 'an etch' : of)?.has(field) !== true,
    ),
  );
  expect(listed).toEqual([]);
});

test('each operation is changed here, or its answer cannot be checked', () => {
  const changed = Object.keys(CALLS).map(operationOf);
  expect([...new Set([...changed, ...WORD_OF_THE_SERVICE])].sort()).toEqual(Object.keys(ROUTES).sort());
  expect(changed.filter((operation) => WORD_OF_THE_SERVICE.includes(operation))).toEqual([]);
});
