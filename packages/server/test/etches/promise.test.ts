import { randomBytes } from 'node:crypto';
import { isPromiseSigned, parsePromise, parsePromiseV2, promisedBeside, promiseText } from '@svc/protocol';
import { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { createPromises } from '../../src/etches/promise.ts';
import { createKeyring } from '../../src/secrets/keyring.ts';
import { useService } from '../../../../testing/service/service.ts';
import { createTogether } from './support.ts';

const service = useService();
const body = { content: 'Low water.', description: 'd', category_id: 'science', mode: 'instant' };

const create = async (key: string, idempotencyKey: string, fields: Record<string, unknown> = {}) =>
  service.call(
    'POST',
    '/api/v1/etches',
    { ...body, ...fields },
    { key, headers: { 'idempotency-key': idempotencyKey } },
  );

async function expectPromised(made: any): Promise<void> {
  const { body: read } = await service.call('GET', `/api/v1/etches/${made.etch.id}`);
  const { promise, parts } = parsePromise(made.promise);
  expect(isPromiseSigned(promise)).toBe(true);
  expect(parts).toMatchObject({ etchId: read.etch.id, hash: read.etch.hash });
  expect(isPromiseSigned(parsePromiseV2(made.promise_v2).promise)).toBe(true);
}

describe('a promise beside each created etch', () => {
  test('names the etch and the day after next, under a key that the service publishes', async () => {
    const ada = await service.registerAgent();
    service.clock.set('2027-02-27T23:59:59.999Z');
    const sealed = { mode: 'delayed', reveal_at: '2027-04-01T00:00:00Z' };
    const { body: answer } = await create(ada.key, 'sealed', sealed);
    service.clock.release();
    const { promise, parts } = parsePromise(answer.promise);
    expect(promise).toEqual(answer.promise);
    expect(isPromiseSigned(promise)).toBe(true);
    expect(parts).toEqual({
      etchId: answer.etch.id,
      userId: ada.userId,
      hash: answer.etch.hash,
      anchorBy: '2027-03-01',
    });
    const second = parsePromiseV2(answer.promise_v2);
    expect(isPromiseSigned(second.promise)).toBe(true);
    expect(second.promise.public_key).toBe(promise.public_key);
    expect(second.parts).toEqual(parts);
    expect(second.beside).toEqual(
      promisedBeside({
        description: 'd',
        topic: 'science',
        mode: 'delayed',
        revealAt: '2027-04-01T00:00:00.000Z',
        challengeId: null,
      }),
    );
    const { body: facts } = await service.call('GET', '/.well-known/svc.json');
    expect(facts.promise.keys).toEqual([promise.public_key]);
  });

  test('is repeated by a replay, years later and after a retraction too', async () => {
    const ada = await service.registerAgent();
    const { body: first } = await create(ada.key, 'one');
    expect((await create(ada.key, 'one')).body.promise).toEqual(first.promise);
    await service.call('POST', `/api/v1/etches/${first.etch.id}/retract`, undefined, { key: ada.key });
    service.clock.advance(3 * 365 * 86_400_000);
    const { body: later, headers } = await create(ada.key, 'one');
    service.clock.release();
    expect(headers.get('idempotent-replay')).toBe('true');
    expect(later.etch.status).toBe('retracted');
    expect([later.promise, later.promise_v2]).toEqual([first.promise, first.promise_v2]);
  });

  test('names what was committed: of company that went once more, and of nothing that was refused', async () => {
    const ada = await service.registerAgent();
    await service.db.query(
      raw(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`),
    );
    await service.db.query(
      raw(`create constraint trigger refused after insert on etch
      deferrable initially deferred for each row when (new.content = 'refused') execute function refuse()`),
    );
    const answers = await createTogether(service, ada, ['one', 'refused', 'two', 'three']);
    await service.db.query(raw('drop trigger refused on etch'));
    await service.db.query(raw('drop function refuse()'));
    expect(answers.map(({ status }) => status)).toEqual([201, 500, 201, 201]);
    expect(Object.keys(answers[1]!.body)).toEqual(['error']);
    for (const { body: made } of answers.filter(({ status }) => status === 201)) await expectPromised(made);
  });

  test('stands beside each of more than are signed at once', async () => {
    const ada = await service.registerAgent();
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const answers = await createTogether(service, ada, texts);
    expect(answers.map(({ body: made }) => made.etch.content)).toEqual(texts);
    for (const { body: made } of answers) await expectPromised(made);
  });

  test('stands beside creation alone', async () => {
    const ada = await service.registerAgent();
    const { body: made } = await create(ada.key, 'alone');
    expect((await service.call('GET', `/api/v1/etches/${made.etch.id}`)).body).not.toHaveProperty(
      'promise_v2',
    );
  });
});

test('after a rotation of SECRET_KEYS older promises are made by the older key, and both keys are named', async () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const etch = {
    id: randomUuid(1),
    user_id: randomUuid(2),
    hash: randomBytes(32),
    created_at: '2027-01-01T10:00:00.000Z',
    description: 'd',
    category_id: 'science',
    mode: 'instant' as const,
    reveal_at: null,
    challenge_id: null,
  };
  const before = createPromises(createKeyring([older]), { aside: true });
  const keyring = createKeyring([newer, older]);
  const after = createPromises(keyring, { aside: false });
  // What is signed in the thread pool is what is signed here.
  const first = await before.of(etch);
  expect(after.keys).toEqual([expect.not.stringMatching(before.keys[0]!), before.keys[0]]);
  expect((await after.of(etch)).promise.text).toBe(first.promise.text);
  expect(await after.of(etch)).not.toEqual(first);
  // A replay tells by the fingerprint of its request which key was in use then.
  const fingerprint = createKeyring([older]).mac('fingerprint', 'the request');
  expect(await after.of(etch, keyring.whichMac('fingerprint', 'the request', fingerprint))).toEqual(first);
  expect(first.promise.text).toBe(
    promiseText({
      etchId: etch.id,
      userId: etch.user_id,
      hash: etch.hash.toString('hex'),
      anchorBy: '2027-01-03',
    }),
  );
});

const randomUuid = (value: number) => `00000000-0000-4000-8000-${String(value).padStart(12, '0')}`;
