import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Anchoring } from '../../packages/server/src/anchoring/anchoring.ts';
import type { Db } from '../../packages/server/src/db/db.ts';
import { eventually } from '../wait.ts';

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

export function tickUntilSent(anchoring: Anchoring, db: Db): Promise<Buffer> {
  return eventually(
    'a transaction is under way',
    async () => {
      await anchoring.tick();
      const [sent] = await db.query<{ tx_hash: Buffer }>(
        sql`select tx_hash from anchor_tx where state = 'SENT'`,
      );
      return sent?.tx_hash;
    },
    { everyMs: 10 },
  );
}

export async function expireLease(db: Db): Promise<void> {
  await db.query(sql`update lease set expires_at = now() - interval '1 second'`);
}
