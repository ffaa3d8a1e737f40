import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Anchoring } from '../../packages/server/src/anchoring/anchoring.ts';
import type { Db } from '../../packages/server/src/db/db.ts';
import type { FailpointName } from '../../packages/server/src/anchoring/failpoints.ts';

const PATIENCE_MS = 20_000;

export async function drain(anchoring: Anchoring, db: Db, most = 200): Promise<number> {
  const until = performance.now() + PATIENCE_MS;
  for (let ticks = 1; ticks <= most || performance.now() < until; ticks++) {
    const { open, progressed } = await anchoring.tick();
    const [row] = await db.query<{ left: number }>(sql`select
      (select count(*) from anchor_job where halted is null)
      + (select count(*) from anchor_tx where state not in ('FINAL', 'LOST'))
      + (select count(*) from batch where anchored_at is null) as left`);
    if (row!.left === 0 && open === 0) return ticks;
    if (!progressed) await sleep(10);
  }
  const states = await db.query(
    sql`select nonce, action, state, note, (select failure from chain_state) as failure from anchor_tx`,
  );
  throw new Error(`not drained after ${most} ticks: ${JSON.stringify(states)}`);
}

export async function expireLease(db: Db): Promise<void> {
  await db.query(sql`update lease set expires_at = now() - interval '1 second'`);
}

class Died extends Error {}

/** Ends a process at a failpoint, so many times. */
export function killAt(name: FailpointName, times = 2) {
  const killer = {
    deaths: 0,
    failpoint: (reached: FailpointName): void => {
      if (reached !== name || killer.deaths >= times) return;
      killer.deaths++;
      throw new Died();
    },
    /** Repeats the work after each death. @returns false if the process died and `again` is false */
    async survive(work: () => Promise<unknown>, again = true): Promise<boolean> {
      for (;;) {
        try {
          await work();
          return true;
        } catch (error) {
          if (!(error instanceof Died)) throw error;
          if (!again) return false;
        }
      }
    },
  };
  return killer;
}
