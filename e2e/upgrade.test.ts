import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, test } from 'vitest';
import { startTestDevnet } from '../testing/chain/devnet.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { embeddedWorld, useGround } from '../testing/system/world.ts';

// Fixture: e2e/fixtures/README.md.
const ground = useGround({ postgres: false, chain: false });

interface Issued {
  base: string;
  key: string;
  username: string;
  challenge: string;
  receipts: Record<'public' | 'signed' | 'sealed' | 'revealed' | 'retracted' | 'entry', Receipt>;
}

test('starts with the data directory of an older version, and verifies its old and new receipts', async () => {
  const folder = newFolder('older');
  const packed = readFileSync(join(import.meta.dirname, 'fixtures/older-service.tar.br'));
  execFileSync('tar', ['-C', folder, '-x'], { input: brotliDecompressSync(packed) });
  const dataDir = join(folder, 'data');
  const issued = JSON.parse(readFileSync(join(folder, 'issued.json'), 'utf8')) as Issued;
  // Receipts contain the service's address, so it keeps the old one.
  const world = ground.keep(await embeddedWorld({ DATA_DIR: dataDir, BASE_URL: issued.base }));
  await world.start();
  const read = async (path: string) => (await world.client.call('GET', `/api/v1${path}`)).body;

  const now: Receipt[] = [];
  for (const receipt of Object.values(issued.receipts))
    now.push(await read(`/etches/${receipt.etch_id}/receipt`));
  expect(now).toEqual(Object.values(issued.receipts));
  const { etch: sealed } = await read(`/etches/${issued.receipts.sealed.etch_id}`);
  expect(sealed).toMatchObject({ status: 'sealed', content: null });
  const { etches, counts } = await read(`/users/${issued.username}/etches`);
  expect([etches.length, counts.total, counts.retracted]).toEqual([6, 6, 1]);
  const found = await read('/search?q=before%20the%20upgrade');
  expect(found.page.total).toBe(3);

  const created = await world.client.call('POST', '/api/v1/etches', {
    key: issued.key,
    body: { content: 'after', description: 'From now', category_id: 'tech', mode: 'instant' },
  });
  expect(created.status, created.text).toBe(201);
  const { id } = created.body.etch;
  await world.client.call('POST', `/api/v1/etches/${issued.receipts.public.etch_id}/retract`, {
    key: issued.key,
  });
  const wanted = [
    { id, retracted: false },
    { id: issued.receipts.public.etch_id, retracted: true },
  ];
  await allAnchored(world, wanted as never);
  for (const each of wanted) now.push(await read(`/etches/${each.id}/receipt`));
  await world.service.stop();

  const checked = await svcAdmin(world.settings, 'fsck', '--json');
  expect(checked.json.faults, checked.err).toEqual([]);
  expect(checked.json.checked).toMatchObject({ etches: 7, 'sealed texts opened': 2 });
  const devnet = await startTestDevnet({ dataDir });
  try {
    const { rpcUrl, chainId, contract, schemaUid, relayerPrivateKey } = devnet;
    const trust = { chainId, contract, schemaUid, relayers: [privateKeyToAddress(relayerPrivateKey)] };
    for (const receipt of now) {
      const verification = await verifyReceipt(receipt, trust, rpcChain({ urls: [rpcUrl] }));
      expect([receipt.etch_id, overall(verification)], JSON.stringify(verification.checks)).toEqual([
        receipt.etch_id,
        'pass',
      ]);
    }
  } finally {
    await devnet.stop();
  }
});
