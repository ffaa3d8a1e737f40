// Runs in the soak only.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { Load, type Wanted } from '../testing/system/load.ts';
import { allAnchored } from '../testing/system/settled.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';
import { eventually } from '../testing/wait.ts';

// An older backup is restored and the erasure ledger is lost: only the chain has the retractions since.
const ground = useGround();

const get = (world: World, path: string, key?: string) => world.client.call('GET', path, { key });
const tombstones = async (world: World) => (await get(world, '/readyz')).body.parts.chain.tombstones;
const unmatched = async (world: World) =>
  Number(/^svc_tombstones_unmatched (\d+)$/m.exec((await get(world, '/metrics')).text)![1]);
const contentOf = ({ body }: Wanted): string => body['content'] as string;
const newText = (): string => `text-${randomUUID()}`;

async function tellers(world: World, etches: readonly Wanted[]): Promise<string[]> {
  const texts = etches.map(contentOf);
  const telling: string[] = [];
  for (const { id, hash, agent, body } of etches) {
    const { username: name, key } = agent;
    const challenge = body['challenge_id'] as string | undefined;
    // The answer to a search repeats its query, so the text is searched in two halves.
    const [half] = texts[etches.findIndex((one) => one.id === id)]!.split(/-(?=[^-]*$)/);
    const paths = [
      ...['', '/receipt', '/evidence', '/opening'].map((end) => `/api/v1/etches/${id}${end}`),
      ...['', '.md', '/verify', '/embed', '/receipt.html', '/events'].map((end) => `/e/${id}${end}`),
      ...['etches?limit=100', 'record'].map((end) => `/api/v1/users/${name}/${end}`),
      ...['', '/record.md', '/feed.atom'].map((end) => `/u/${name}${end}`),
      ...['feed?limit=100', 'follows/watching', 'me/events?limit=100', 'me/guide'].map(
        (end) => `/api/v1/${end}`,
      ),
      ...[`/api/v1/etches?hash=${hash}`, `/api/v1/verify/${id}`, `/oembed?url=${world.url}/e/${id}`],
      ...['/api/v1', ''].flatMap((start) => [`${start}/search?q=${half}`, `${start}/challenges?status=all`]),
      ...['/', '/topics/tech'],
      ...(challenge ? [`/api/v1/challenges/${challenge}`] : []),
      ...(challenge ? ['', '.md', '/events'].map((end) => `/ch/${challenge}${end}`) : []),
    ];
    for (const path of paths) {
      const reply = await get(world, path, key);
      expect(reply.status, path).toBeLessThan(500);
      if (texts.some((text) => reply.text.includes(text))) telling.push(path);
    }
  }
  return telling;
}

test('withholds from the start what the chain says was retracted, until an operator erases it', async () => {
  const { postgres, chain } = ground;
  const relayer = await chain.newRelayer();
  const gate = ground.keep(await startRpcGate(chain.rpcUrl));
  const lead = { MIN_REVEAL_LEAD_SECONDS: '1' };
  const first = ground.keep(await postgresWorld({ postgres, chain, relayer, rpcUrl: gate.url }, lead));
  await first.start();
  const [agent] = await first.agents(1);
  const post = (path: string, body: object) => first.client.call('POST', path, { body, key: agent!.key });
  const load = new Load({ client: first.client, agents: [agent!], delayed: 0 });
  const reveal_at = new Date(Date.now() + 15_000).toISOString();
  const { challenge } = (
    await post('/api/v1/challenges', { question: 'Who?', category_id: 'tech', reveal_at })
  ).body;
  const etch = (fields = {}) => load.etch({ content: newText(), mode: 'instant', ...fields });
  const answer = await etch({ mode: 'delayed', challenge_id: challenge.id });
  const [one, given, two, three] = [await etch(), await etch(), await etch(), await etch()];
  for (const { id } of load.wanted) await post('/api/v1/follows', { target_type: 'etch', target_id: id });
  await allAnchored(first, load.wanted);
  await eventually('it is told everywhere', async () => (await tellers(first, [answer])).length > 20);
  const folder = join(newFolder('backup'), 'monday');
  const backup = await svcAdmin(first.settings, 'backup', folder);
  expect(backup, backup.err).toMatchObject({ status: 0 });

  for (const alone of [one, given]) {
    await load.retract(alone);
    await allAnchored(first, load.wanted);
  }
  // Nothing is folded while the chain is away, so these three share a tree.
  await gate.close();
  const together = [two, three, answer];
  for (const wanted of together) await load.retract(wanted);
  await gate.open();
  await allAnchored(first, load.wanted);

  const second = ground.keep(
    await postgresWorld(
      { chain, relayer, databaseUrl: await newDatabase(postgres) },
      { ...lead, SECRET_KEYS: first.settings['SECRET_KEYS']! },
    ),
  );
  const admin = (...args: string[]) => svcAdmin(second.settings, ...args);
  const restored = await admin('restore', folder);
  expect(restored, restored.err).toMatchObject({ status: 0 });
  expect(restored.err).toContain('no erasure ledger newer than the backup');

  await second.start();
  expect(await tellers(second, [one, given])).toEqual([]);
  expect(await tombstones(second)).toEqual({
    withheld: 2,
    unmatched: 1,
    fault: expect.stringContaining('svc-admin chain check --leaves'),
  });
  await eventually('it is alerted', async () => (await unmatched(second)) === 1);
  expect((await tellers(second, [answer])).length).toBeGreaterThan(20);
  const blind = await admin('chain', 'check', '--json');
  expect(blind).toMatchObject({ status: 1 });
  expect(blind.json.faults.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'etch',
    'etch',
    'tombstone tree',
  ]);

  // The first service plays a third party that keeps /batches.
  const seeing = await admin('chain', 'check', '--leaves', first.url);
  expect(seeing.out).not.toContain('tombstone tree');
  await first.service.stop();
  expect(await tellers(second, load.wanted)).toEqual([]);
  expect(await tombstones(second)).toEqual({ withheld: 5, unmatched: 0 });
  await eventually('the alert ends', async () => (await unmatched(second)) === 0);
  const archive = join(newFolder('archive'), 'service.tar.gz');
  expect(await admin('export', archive)).toMatchObject({ status: 0 });
  const packed = gunzipSync(readFileSync(archive));
  expect(load.wanted.filter((wanted) => packed.includes(contentOf(wanted)))).toEqual([]);

  const named = await admin('chain', 'erase', '--json');
  expect(named).toMatchObject({ status: 1, json: { erased: 0 } });
  const { tombstone } = named.json.etches.find(({ id }: { id: string }) => id === given.id);
  expect(await admin('chain', 'give-back', tombstone)).toMatchObject({ status: 1 });
  expect(await tellers(second, [given])).toEqual([]);
  expect(await admin('chain', 'give-back', tombstone, '--yes')).toMatchObject({ status: 0 });
  await eventually('it is found again', async () => (await tellers(second, [given])).length > 18);
  expect(await admin('chain', 'erase', '--yes', '--json')).toMatchObject({ status: 0, json: { erased: 4 } });
  const erased = load.wanted.filter((wanted) => wanted !== given);
  await allAnchored(second, erased);
  expect(await tellers(second, erased)).toEqual([]);
  for (const args of [['chain', 'check'], ['fsck']]) {
    const run = await admin(...args);
    expect(run.status, run.out + run.err).toBe(0);
  }
});
