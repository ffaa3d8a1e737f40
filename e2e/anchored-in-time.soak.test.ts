import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { Load } from '../testing/system/load.ts';
import { rounds } from '../testing/rounds.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const MINUTES = rounds(3, 3);
const PER_SECOND = 100;
const PER_DAY = 100_000;
const ground = useGround({ chain: false });

test(`${PER_SECOND} etches a second, and a halt of ${MINUTES} minutes`, async () => {
  const chain = ground.keep(await startChain({ blockSeconds: 2 }));
  const world = ground.keep(
    await postgresWorld(
      { postgres: ground.postgres, chain },
      { ANCHOR_INTERVAL_SECONDS: '10', LIMIT_ETCHES_KEYPAIR: String(PER_DAY) },
    ),
  );
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(10) });
  const sending: Promise<unknown>[] = [];
  const sendFor = async (seconds: number): Promise<void> => {
    const begun = performance.now();
    for (let sent = 0; sent < seconds * PER_SECOND; sent++) {
      const early = (sent / PER_SECOND) * 1000 - (performance.now() - begun);
      if (early > 1) await sleep(early);
      sending.push(load.etch({ description: randomUUID() }));
    }
  };

  await sendFor(MINUTES * 60);
  await chain.mineEvery(0);
  const haltedAt = Date.now();
  await sendFor(MINUTES * 60);
  await chain.mineEvery(2);
  const resumedAt = Date.now();
  await sendFor(MINUTES * 60);
  await Promise.all(sending);
  expect(load.unknown, 'writes that had no answer').toBe(0);
  await audit(world, load, { perDay: PER_DAY, seconds: 600 });

  const waits = await waitsOf(world);
  // Etches in flight when the chain halted wait too.
  const halted = waits.filter(({ created }) => created >= haltedAt - 60_000 && created < resumedAt);
  const clearedAt = Math.max(...halted.map(({ anchored }) => anchored));
  const cleared = (clearedAt - resumedAt) / 1000;
  const undisturbed = waits.filter(({ created }) => created < haltedAt - 60_000 || created > clearedAt);
  expect(undisturbed.length).toBeGreaterThan(PER_SECOND);
  const p99 =
    percentile(
      undisturbed.map(({ created, anchored }) => anchored - created),
      0.99,
    ) / 1000;
  console.log(
    `${waits.length} etches; p99 to block time ${p99.toFixed(1)} s; the backlog cleared in ${cleared.toFixed(1)} s`,
  );
  expect(p99).toBeLessThan(60);
  expect(cleared).toBeLessThan(180);
});

async function waitsOf(world: World): Promise<{ created: number; anchored: number }[]> {
  const rows = await world.withDb((db) =>
    db.query<{ created_at: string; anchored_at: string }>(sql`
      select e.created_at, b.anchored_at from etch e
      join batch_leaf l on l.etch_id = e.id and l.kind = 0 join batch b on b.id = l.batch_id`),
  );
  return rows.map((row) => ({ created: Date.parse(row.created_at), anchored: Date.parse(row.anchored_at) }));
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
}
