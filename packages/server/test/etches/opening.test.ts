import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseChainInfo } from '@svc/protocol/timelock';
import { checkOpening } from '@svc/verifier/opening';
import { expect, test } from 'vitest';
import { localChain } from '../../../../testing/beacon/chain.mjs';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { makeOpening } from '../../src/etches/opening.ts';
import { encryptHidden } from '../../src/etches/hidden-fields.ts';
import type { EtchRow } from '../../src/etches/row.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { useService } from '../../../../testing/service/service.ts';

const local = localChain({ genesis: 1_700_000_000, period: 30 });
const chain = parseChainInfo(local.info);
const file = join(newFolder('drand'), 'chain.json');
writeFileSync(file, JSON.stringify(local.info));
const service = useService({ settings: { DRAND_CHAIN: file, TEST_LIMIT_OPENINGS_PER_HOUR: '3' } });
const sealed = { mode: 'delayed', reveal_at: '2031-01-01T00:00:01Z', content: 'Snow in May, ü 🌊.' };
const opening = (id: string, key?: string) =>
  service.get(`/api/v1/etches/${id}/opening`, key === undefined ? {} : { key });

test('returns the author a signed opening that decrypts with the round after the reveal time, and stores none', async () => {
  const ada = await service.registerAgent();
  const etch = await service.etch(ada, sealed);
  const { status, body, headers } = await opening(etch.id, ada.key);
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ etch_id: etch.id, hash: etch.hash, chain_hash: chain.hash });
  const { body: facts } = await service.get('/.well-known/svc.json');
  const trust = { keys: facts.promise.keys as string[], pinned: true };
  expect(facts.promise.keys).toContain(body.public_key);
  expect(checkOpening(body, trust, chain, local.sign(body.round as number))).toMatchObject({
    badge: 'opened',
    parts: { userId: ada.userId, content: sealed.content },
  });
  const due = (1_700_000_000 + ((body.round as number) - 1) * 30) * 1000;
  expect(due).toBeGreaterThanOrEqual(Date.parse(sealed.reveal_at));
  expect(due - 30_000).toBeLessThan(Date.parse(sealed.reveal_at));

  const other = await service.registerAgent();
  expect((await opening(etch.id, other.key)).status).toBe(403);
  expect((await opening(etch.id)).status).toBe(401);
  const { body: made } = await service.post('/api/v1/me/keys', { name: 'r', scope: 'read' }, ada.key);
  expect((await opening(etch.id, made.api_key as string)).status).toBe(403);

  const again = await opening(etch.id, ada.key);
  expect(again.body.ciphertext).not.toBe(body.ciphertext);
  const line = (body.ciphertext as string).split('\n')[3]!;
  expect(service.log.join('\n')).not.toContain(line);

  await service.retract(ada, etch.id);
  expect((await opening(etch.id, ada.key)).status).toBe(422);
});

test('limits openings by account and returns 422 for public etches', async () => {
  const bob = await service.registerAgent();
  const etch = await service.etch(bob, sealed);
  const publicEtch = await service.etch(bob);
  expect((await opening(publicEtch.id, bob.key)).status).toBe(422);
  const all = await Promise.all([1, 2, 3].map(() => opening(etch.id, bob.key)));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await opening(etch.id, bob.key)).status).toBe(429);
  service.clock.set('2031-01-01T00:00:01.000Z');
  const after = await opening(etch.id, bob.key);
  service.clock.release();
  expect(after.status).toBe(422);
});

test('returns 422 when the etch is retracted during encryption', async () => {
  const keyring = createKeyring([Buffer.alloc(32, 7)]);
  const id = '11111111-2222-4333-8444-555555555555';
  const parts = { content: 'Snow', salt: Buffer.alloc(32), signature: null, signature_key: null };
  const row = {
    id,
    user_id: id,
    status: 'sealed',
    hash: Buffer.alloc(32),
    created_at: '2030-01-01T00:00:00.000Z',
    reveal_at: '2031-01-01T00:00:01.000Z',
    sealed: encryptHidden(keyring, id, parts),
  } as unknown as EtchRow;
  let now = row;
  const made = makeOpening(
    {
      reader: { get: () => Promise.resolve(now) } as never,
      clock: { now: () => Date.parse('2030-06-01T00:00:00Z') },
      keyring,
      promises: { sign: () => Promise.resolve({ public_key: '', signature: '' }) } as never,
      timelock: {
        encrypt: () => {
          now = { ...row, status: 'retracted', sealed: null };
          return Promise.resolve('a ciphertext');
        },
        close: () => Promise.resolve(),
      },
      chain,
    },
    { userId: id } as never,
    id,
    () => Promise.resolve(),
  );
  await expect(made).rejects.toMatchObject({ code: 'unprocessable' });
});
