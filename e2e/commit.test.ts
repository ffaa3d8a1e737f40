// Runs in the soak only.
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { type CutPlace, startCommitCutter } from '../testing/database/commit-cutter.ts';
import { Load } from '../testing/system/load.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { rounds } from '../testing/rounds.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

const CUTS = rounds(40, 1_000);
const ground = useGround();

test(`${CUTS} connections cut after COMMIT was sent: one row, one allowance each`, async () => {
  const { postgres, chain } = ground;
  const cutter = ground.keep(await startCommitCutter(postgres.url));
  const databaseUrl = await newDatabase(postgres);
  const world = ground.keep(
    await postgresWorld({ postgres, chain, databaseUrl }, { DATABASE_URL: cutter.url(databaseUrl) }),
  );
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(4), restMs: 5 });
  const places: CutPlace[] = ['sent', 'answered', 'sent', 'answered', 'before'];
  let at = 0;
  // Every second connection passes, so that clients make progress.
  cutter.choose = () => (at++ % 2 === 0 ? places[(at >> 1) % places.length] : undefined);
  load.start();
  await eventually(`${CUTS} cuts`, () => cutter.cuts.sent + cutter.cuts.answered >= CUTS, {
    seconds: 60 + CUTS,
  });
  cutter.choose = () => undefined;
  await load.finish();
  expect(Math.min(...Object.values(cutter.cuts))).toBeGreaterThan(0);
  expect(load.unknown).toBeGreaterThanOrEqual(CUTS);
  await audit(world, load);
});
