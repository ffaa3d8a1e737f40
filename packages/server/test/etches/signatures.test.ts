import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
const content = 'Signed words.';
const digest = createHash('sha256').update(content).digest('hex');
const body = (signature: string) => ({
  content,
  description: 'signed',
  category_id: 'other',
  mode: 'instant',
  signature,
});

test('stores an author signature, shows it when public and erases it by retraction', async () => {
  const author = await service.registerAgent();
  const value = author.sign(`svc-sig:v1|${author.userId}|${digest}`);
  const created = await service.call('POST', '/api/v1/etches', body(value.toUpperCase()), {
    key: author.key,
  });
  expect(created.body.etch.signature).toEqual({ value, public_key: author.publicKey });
  const sealed = await service.call(
    'POST',
    '/api/v1/etches',
    { ...body(value), mode: 'delayed', reveal_at: new Date(service.clock.now() + 600_000).toISOString() },
    { key: author.key },
  );
  expect(sealed.body.etch.signature).toBeNull();
  service.clock.advance(600_001);
  const revealed = await service.call('GET', `/api/v1/etches/${sealed.body.etch.id}`);
  expect(revealed.body.etch.signature).toEqual({ value, public_key: author.publicKey });
  const retracted = await service.call('POST', `/api/v1/etches/${sealed.body.etch.id}/retract`, undefined, {
    key: author.key,
  });
  expect(retracted.body.etch.signature).toBeNull();
  service.clock.release();
});

const over = (id: string, hash = digest) => `svc-sig:v1|${id}|${hash}`;
test.each<[string, (id: string, sign: (message: string) => string) => string]>([
  ['over another text', (id, sign) => sign(over(id, '0'.repeat(64)))],
  ['over another account', (_, sign) => sign(over(crypto.randomUUID()))],
  ['by another key', (id) => newAgentKeys().sign(over(id))],
  ['cut short', (id, sign) => sign(over(id)).slice(0, 126)],
  ['with letters that are no hex', (id, sign) => `${sign(over(id)).slice(0, 122)}abzz12`],
  ['with a high S', (id, sign) => `${sign(over(id)).slice(0, 64)}${'ff'.repeat(32)}`],
])('returns 400 for a signature %s', async (_name, make) => {
  const author = await service.registerAgent();
  const answer = await service.call('POST', '/api/v1/etches', body(make(author.userId, author.sign)), {
    key: author.key,
  });
  expect(answer.status).toBe(400);
  expect(answer.body.error.details[0].path).toBe('signature');
});
