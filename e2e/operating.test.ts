// Runs in the soak only.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shellBlocks } from '../testing/repository.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { Load } from '../testing/system/load.ts';
import { keepSecret } from '../testing/system/secrets.ts';
import { allAnchored, fetchReceipts, vouchedFor } from '../testing/system/settled.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';
import { ends } from '../testing/clients/ends.ts';

// upgrade.test.ts upgrades an older database; admin.test.ts has archives, older backups and the embedded database.
const ground = useGround();

function commandsOf(begins: string): string[][] {
  const block = shellBlocks('docs/operating/moderation.md').find(({ text }) => text.startsWith(begins));
  return block!.text
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(1));
}

test('follows the operator’s page: install, moderate, rotate keys, back up, restore on another host', async () => {
  const { postgres, chain } = ground;
  const first = ground.keep(await postgresWorld({ postgres, chain }));
  await first.start();
  const [keeper, mallory] = (await first.agents(2)) as [any, any];
  const load = new Load({ client: first.client, agents: [keeper], delayed: 0, retracted: 0 });
  const sealed = { mode: 'delayed', reveal_at: new Date(Date.now() + 3_600_000).toISOString() };
  await load.etch(sealed);
  await load.etch();
  const harm = new Load({ client: first.client, agents: [mallory], delayed: 0, retracted: 0 });
  const bad = await harm.etch();
  await allAnchored(first, [...load.wanted, bad]);

  const read = async (path: string) => (await first.client.call('GET', path)).body;
  const { etch } = await read(`/api/v1/etches/${bad.id}`);
  const seen: unknown[] = [];
  for (const args of commandsOf('svc-admin accounts suspend')) {
    const named = args.map(
      (word) => ({ mallory: mallory.username as string, kq7f3m: etch.code as string })[word] ?? word,
    );
    const run = await ends(svcAdmin(first.settings, ...named, '--json'), 0);
    const { status } = await first.client.call('POST', '/api/v1/follows', {
      key: mallory.key,
      body: { target_type: 'user', target_id: keeper.userId },
    });
    seen.push([args.find((word) => word !== 'accounts'), status]);
    if (args[0] === 'acts')
      expect(run.json.acts.map(({ act }: { act: string }) => act)).toEqual([
        'suspend',
        'revoke',
        'hide',
        'take_down',
        'take_down_description',
        'restore',
      ]);
  }
  expect(seen.slice(0, 2)).toEqual([
    ['suspend', 403],
    ['revoke', 401],
  ]);
  const taken = { ...bad, retracted: true };
  await allAnchored(first, [taken]);
  expect((await read(`/api/v1/etches/${bad.id}`)).etch).toMatchObject({
    content: null,
    retracted_by: 'operator',
    retraction_reason: 'personal_data',
    description: 'Taken down by the operator',
    chain: { revocation_status: 'revoked' },
  });
  expect((await svcAdmin(first.settings, 'take-down', etch.code, '--reason', 'spam', '--yes')).status).toBe(
    64,
  );

  const fresh = randomBytes(32).toString('hex');
  keepSecret('the newer of SECRET_KEYS', fresh);
  const keys = { SECRET_KEYS: `${fresh},${first.settings['SECRET_KEYS']!}` };
  const second = await chain.newRelayer();
  const before = await fetchReceipts(first.client, [...load.wanted, taken]);
  await first.service.stop();
  await first.start({ ...keys, RELAYER_PRIVATE_KEY: second.key });
  const later = await load.etch(sealed);
  await allAnchored(first, load.wanted);
  expect((await fetchReceipts(first.client, [...load.wanted, taken])).slice(0, 2)).toEqual(
    before.slice(0, 2),
  );
  const receipts = await fetchReceipts(first.client, [...load.wanted, taken]);
  const { chain: newest } = await read(`/api/v1/etches/${later.id}/receipt`);
  expect(newest.relayer.toLowerCase()).toBe(second.address.toLowerCase());
  const settings = { ...first.settings, ...keys, RELAYER_PRIVATE_KEY: second.key };
  const checked = await svcAdmin(settings, 'fsck', '--json');
  expect(checked.json, checked.err).toMatchObject({ ok: true, checked: { 'sealed texts opened': 2 } });

  // Restored on a second host: a different database and folder, the same address and keys.
  const folder = join(newFolder('backup'), 'monday');
  expect((await svcAdmin(settings, 'backup', folder)).status).toBe(0);
  await first.service.stop();
  const moved = ground.keep(
    await postgresWorld(
      { chain, relayer: second, databaseUrl: await newDatabase(postgres) },
      { ...keys, BASE_URL: first.url },
    ),
  );
  await ends(
    svcAdmin(
      moved.settings,
      'restore',
      folder,
      '--erasures',
      join(first.settings['DATA_DIR']!, 'erasures.jsonl'),
      '--json',
    ),
    0,
  );
  await moved.start();
  await vouchedFor(moved, [...load.wanted, taken]);
  expect(await fetchReceipts(moved.client, [...load.wanted, taken])).toEqual(receipts);
  const acts = await svcAdmin(moved.settings, 'acts', '--json');
  expect(acts.json.acts).toHaveLength(6);
});
