import { describe, expect, test } from 'vitest';
import type { Queryable } from '../../src/db/db.ts';
import { type ClockSources, startDatabaseClock } from '../../src/db/clock.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const HOUR = 3_600_000;
const NEAR = 1_500;
const db = useDatabase();

/** The database, with its clock `ahead` of the true time, as a promoted standby's may be. */
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
  test('forward is not followed while nothing else tells of it, and said', async () => {
    const { world, clock } = await begin();
    world.ahead = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    expectNear(clock.heldBy(), HOUR);
    expect(clock.problem()).toMatch(/3600 s ahead of/);
    world.ahead = 0;
    await clock.measure();
    expect(clock.heldBy()).toBe(0);
    expectNear(clock.now(), Date.now());
  });

  test('forward is followed when this machine’s clock made it too', async () => {
    let own = 0;
    const { world, clock } = await begin({ own: () => Date.now() + own });
    world.ahead = own = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now() + HOUR);
    expect(clock.heldBy()).toBe(0);
  });

  test('forward is followed when the chain’s newest block is there already', async () => {
    let head = Date.now();
    const { world, clock } = await begin({ chainHead: async () => head });
    world.ahead = HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    head = Date.now() + HOUR - 5_000;
    await clock.measure();
    expectNear(clock.now(), Date.now() + HOUR);
  });

  test('a chain that cannot be asked, and one that stands still, agree with nothing', async () => {
    const { world, clock } = await begin({ chainHead: () => Promise.reject(new Error('down')) });
    world.ahead = 10_000;
    await clock.measure();
    expectNear(clock.heldBy(), 10_000);
    const still = await begin({ chainHead: async () => Date.now() - 6_000 });
    still.world.ahead = 10_000;
    await still.clock.measure();
    expectNear(still.clock.heldBy(), 10_000);
  });

  test('back, of the database alone, is not followed', async () => {
    const { world, clock } = await begin();
    world.ahead = -HOUR;
    await clock.measure();
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toMatch(/3600 s behind/);
  });

  test('back, of both, never makes an earlier time of a later one; neither does a restart', async () => {
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

describe('at the start', () => {
  test('a database ahead of this machine and of the chain waits for one of them', async () => {
    const { clock } = await begin({ chainHead: async () => Date.now() - 2_000 }, HOUR);
    expectNear(clock.now(), Date.now());
    expectNear(clock.heldBy(), HOUR);
    expect(clock.problem()).toMatch(/ahead of/);
  });

  test('a machine whose own clock is wrong goes by the database when the chain agrees with that', async () => {
    const { clock } = await begin({
      own: () => Date.now() - HOUR,
      chainHead: async () => Date.now() - 2_000,
    });
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toBeUndefined();
  });

  test('clocks a few seconds apart are no reason to wait', async () => {
    const { clock } = await begin({ own: () => Date.now() - 5_000 });
    expectNear(clock.now(), Date.now());
    expect(clock.problem()).toBeUndefined();
  });
});
