// Runs on both databases.
import { describe, expect, test } from 'vitest';
import type { Queryable } from '../../src/db/db.ts';
import { type ClockSources, startDatabaseClock } from '../../src/db/clock.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const HOUR = 3_600_000;
const NEAR = 1_500;
const db = useDatabase();

/** The clock of a promoted standby may be `ahead`. */
function shifted(): { ahead: number; db: Queryable } {
  const world = {
    ahead: 0,
    db: {
      async query(statement) {
        const rows = await db.query(statement);
        if (!statement.text.includes('clock_timestamp()')) return rows;
        return rows.map((row) => ({ ...row, at: String(Number(row['at']) + world.ahead) }));
      },
    } as Queryable,
  };
  return world;
}

async function begin(sources: ClockSources = {}, ahead = 0) {
  await db.query({ text: 'update clock_mark set newest = null', values: [] } as never);
  const world = shifted();
  world.ahead = ahead;
  return { world, clock: await startDatabaseClock(world.db, sources) };
}

const expectNear = (time: number, wanted: number) => expect(Math.abs(time - wanted)).toBeLessThan(NEAR);

describe('a step of the database’s clock', () => {
  test('a step forward is ignored and reported while no other clock confirms it', async () => {
    const { world, clock } = await begin();
    world.ahead = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    expectNear(clock.unconfirmedStepMs(), HOUR);
    expect(clock.problem()).toMatch(/3600 s ahead of/);
    world.ahead = 0;
    await clock.measure();
    expect(clock.unconfirmedStepMs()).toBe(0);
    expectNear(clock.now(), Date.now());
  });

  test('a step forward is followed if this machine’s clock made the same step', async () => {
    let own = 0;
    const { world, clock } = await begin({ own: () => Date.now() + own });
    world.ahead = own = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now() + HOUR);
    expect(clock.unconfirmedStepMs()).toBe(0);
  });

  test('a step forward is followed if the chain’s newest block confirms it', async () => {
    let head = Date.now();
    const { world, clock } = await begin({ chainHead: async () => head });
    world.ahead = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    head = Date.now() + HOUR - 5_000;
    await clock.measure();
    expectNear(clock.now(), Date.now() + HOUR);
  });

  test('an unreachable chain and a stopped chain confirm nothing', async () => {
    const { world, clock } = await begin({ chainHead: () => Promise.reject(new Error('down')) });
    world.ahead = 10_000;
    await clock.measure();
    expectNear(clock.unconfirmedStepMs(), 10_000);
    const still = await begin({ chainHead: async () => Date.now() - 6_000 });
    still.world.ahead = 10_000;
    await still.clock.measure();
    expectNear(still.clock.unconfirmedStepMs(), 10_000);
  });

  test('a step back of the database alone is ignored', async () => {
    const { world, clock } = await begin();
    world.ahead = -HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toMatch(/3600 s behind/);
  });

  test('a step back of both clocks never makes time decrease, even after a restart', async () => {
    let own = 0;
    const { world, clock } = await begin({ own: () => Date.now() + own });
    const before = clock.now();
    world.ahead = own = -HOUR;
    await clock.measure();
    expect(clock.now()).toBeGreaterThanOrEqual(before);
    expect(clock.problem()).toMatch(/went back by 3600 s/);
    const again = await startDatabaseClock(world.db, { own: () => Date.now() + own });
    expect(again.now()).toBeGreaterThanOrEqual(before - 1);
  });
});

describe('at startup', () => {
  test('waits for confirmation of a database ahead of this machine and of the chain', async () => {
    const { clock } = await begin({ chainHead: async () => Date.now() - 2_000 }, HOUR);
    expectNear(clock.now(), Date.now());
    expectNear(clock.unconfirmedStepMs(), HOUR);
    expect(clock.problem()).toMatch(/ahead of/);
  });

  test('uses the database’s time if this machine is wrong and the chain confirms the database', async () => {
    const { clock } = await begin({
      own: () => Date.now() - HOUR,
      chainHead: async () => Date.now() - 2_000,
    });
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toBeUndefined();
  });

  test('accepts clocks that differ by a few seconds', async () => {
    const { clock } = await begin({ own: () => Date.now() - 5_000 });
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toBeUndefined();
  });
});
