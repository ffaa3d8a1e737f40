import { randomBytes } from 'node:crypto';
import { hashDescription, isPromiseSigned, parsePromise, promiseWords } from '@svc/protocol';
import type { SignedPromise } from '@svc/protocol';
import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { takeDown } from '../../src/acts/moderation-store.ts';
import { createPromises } from '../../src/etches/promise.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { useService } from '../../../../testing/service/service.ts';
import { creatorOf, everyRow } from './support.ts';

const service = useService();
const body = { content: 'Low water.', description: 'd', category_id: 'science', mode: 'instant' };

const create = (key: string, idempotencyKey: string, more: Record<string, unknown> = {}) => {
  const options = { key, headers: { 'idempotency-key': idempotencyKey } };
  return service.post('/api/v1/etches', { ...body, ...more }, options);
};

function signedFields(promise: SignedPromise, content: string) {
  const read = parsePromise(promise);
  expect(read.promise).toEqual(promise);
  expect(isPromiseSigned(promise)).toBe(true);
  expect(promiseWords(promise.nonce!, content)).toBe(read.fields.words);
  return read.fields;
}

async function expectPromised(made: { etch: { id: string }; promise: SignedPromise | null }): Promise<void> {
  const { id: etchId, hash, content } = await service.read(made.etch.id);
  expect(signedFields(made.promise!, content)).toMatchObject({ etchId, hash });
}

describe('the promise of a created etch', () => {
  test('covers the etch, its public fields, its content and the day after next, under a published key', async () => {
    const ada = await service.registerAgent();
    service.clock.set('2027-02-27T23:59:59.999Z');
    const sealed = { mode: 'delayed', reveal_at: '2027-04-01T00:00:00Z' };
    const { body: answer } = await create(ada.key, 'sealed', sealed);
    service.clock.release();
    expect(signedFields(answer.promise, body.content)).toEqual({
      etchId: answer.etch.id,
      userId: ada.userId,
      hash: answer.etch.hash,
      anchorBy: '2027-03-01',
      descriptionHash: hashDescription('d'),
      topic: 'science',
      mode: 'delayed',
      challengeId: null,
      revealAt: '2027-04-01T00:00:00.000Z',
      words: promiseWords(answer.promise.nonce, body.content),
    });
    expect(answer.promise.path).toEqual([]);
    expect(answer.promise.nonce).toMatch(/^[0-9a-f]{64}$/);
    const { body: facts } = await service.get('/.well-known/svc.json');
    expect(facts.promise.keys).toEqual([answer.promise.public_key]);
  });

  test.each([
    ['public', {}],
    ['sealed', { mode: 'delayed', reveal_at: '2099-01-01T00:00:00Z' }],
  ])('has a new nonce in each replay of a %s etch', async (_, more) => {
    const ada = await service.registerAgent();
    const { body: first } = await create(ada.key, 'one', more);
    service.clock.advance(3 * 365 * 86_400_000);
    const { body: later, headers } = await create(ada.key, 'one', more);
    service.clock.release();
    expect(headers.get('idempotent-replay')).toBe('true');
    const { words, ...same } = signedFields(later.promise, body.content);
    expect(signedFields(first.promise, body.content)).toMatchObject(same);
    expect(words).not.toBe(parsePromise(first.promise).fields.words);
    expect(later.promise.nonce).not.toBe(first.promise.nonce);
    expect(later.promise.path).toEqual([]);
  });

  test.each([
    ['a retraction', (id: string, key: string) => service.retract({ key }, id)],
    [
      'a takedown',
      (id: string) => takeDown(service.db, id, 'abuse', { by: 'keeper', now: service.clock.now() }),
    ],
  ])('is null in a replay after %s', async (_, erase) => {
    const ada = await service.registerAgent();
    const { body: first } = await create(ada.key, 'one');
    await erase(first.etch.id, ada.key);
    const { body: later, headers } = await create(ada.key, 'one');
    expect(headers.get('idempotent-replay')).toBe('true');
    expect(later.etch.status).toBe('retracted');
    expect(later.promise).toBeNull();
  });

  test('covers the committed etches of a batch that was retried one by one, and no rejected etch', async () => {
    const ada = await service.registerAgent();
    await service.db.query(
      raw(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`),
    );
    await service.db.query(
      raw(`create constraint trigger refused after insert on etch
      deferrable initially deferred for each row when (new.content = 'refused') execute function refuse()`),
    );
    const create = creatorOf(service, ada);
    const answers = await Promise.allSettled(['one', 'refused', 'two', 'three'].map((text) => create(text)));
    await service.db.query(raw('drop trigger refused on etch'));
    await service.db.query(raw('drop function refuse()'));
    const statuses = ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const answer of answers) if (answer.status === 'fulfilled') await expectPromised(answer.value);
  });

  test('shares one signature with all others of its group commit', async () => {
    const ada = await service.registerAgent();
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    const create = creatorOf(service, ada);
    const answers = await Promise.all(texts.map((text) => create(text)));
    expect(answers.map(({ etch }) => etch.content)).toEqual(texts);
    for (const made of answers) await expectPromised(made);
    const commits = await service.db.column<string>(
      sql`select distinct xmin::text from etch where user_id = ${ada.userId}`,
    );
    expect(commits).toHaveLength(1);
    const distinct = (field: 'signature' | 'nonce') =>
      new Set(answers.map(({ promise }) => promise![field])).size;
    expect([distinct('signature'), distinct('nonce')]).toEqual([1, 40]);
  });

  test('appears with its nonce in no other answer and in no table', async () => {
    const ada = await service.registerAgent();
    const { body: made } = await create(ada.key, 'alone');
    const { nonce, text, signature } = made.promise;
    const words = text.split('|').at(-1);
    const paths = ['', '/receipt', '/evidence'].map((end) => `/api/v1/etches/${made.etch.id}${end}`);
    paths.push(`/api/v1/verify/${made.etch.id}`, `/api/v1/users/${ada.username}/record`);
    const shown = await Promise.all(paths.map((path) => service.get(path)));
    shown.push(await service.post(`/api/v1/etches/${made.etch.id}/reveal`, undefined, ada.key));
    for (const { status, body: answer } of shown) {
      expect(status).toBe(200);
      expect(JSON.stringify(answer)).not.toMatch(new RegExp(`svc-promise|${nonce}|${words}`));
    }
    const rows = await everyRow(service.db);
    expect(rows).toContain(made.etch.id);
    for (const secret of [nonce, words, signature, text]) expect(rows).not.toContain(secret);
  });
});

const etchOf = (index: number, content = 'content') => ({
  etch: {
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    user_id: '00000000-0000-4000-8000-000000000000',
    hash: randomBytes(32),
    created_at: '2027-01-01T10:00:00.000Z',
    description: 'd',
    category_id: 'science',
    mode: 'instant' as const,
    reveal_at: null,
    challenge_id: null,
  },
  content,
});

test('one signature covers at most 256 promises', async () => {
  const promises = createPromises(createKeyring([randomBytes(32)]));
  const accepted = Array.from({ length: 257 }, (_, index) => etchOf(index, `text ${index}`));
  const given = await promises.give(accepted);
  given.forEach((promise, index) =>
    expect(signedFields(promise, `text ${index}`).etchId).toBe(accepted[index]!.etch.id),
  );
  expect(given.map(({ path }) => path.length)).toEqual([...Array<number>(256).fill(8), 0]);
  expect(new Set(given.map(({ signature }) => signature)).size).toBe(2);
});

test('a rotation of SECRET_KEYS changes the key of new promises, and both keys are published', async () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)];
  const before = createPromises(createKeyring([older]));
  const after = createPromises(createKeyring([newer, older]));
  const [first] = await before.give([etchOf(1)]);
  const [second] = await after.give([etchOf(1)]);
  expect(after.keys).toEqual([second!.public_key, first!.public_key]);
  expect(after.sign('x').public_key).toBe(second!.public_key);
});
