// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { soakOnly } from '../../../../testing/database/once.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { DEFAULT_RULES } from '../../src/anchoring/rules.ts';
import { openPostgres } from '../../src/db/postgres.ts';

const database = useDatabase();

// The server ends the transaction of a process that stopped in it, and so releases its locks.
test.each(['none', 'transaction'] as const)(
  "ends an abandoned transaction before the leader's lease expires: pooler=%s",
  async (pooler) => {
    const db = openPostgres({ url: database.url!, poolSize: 1, pooler });
    const setting = sql`select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout'`;
    const ms = await db.tx((tx) => tx.value<number>(setting));
    await db.close();
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(DEFAULT_RULES.leaseSeconds * 1000);
  },
);

soakOnly('releases the locks of an abandoned transaction', async () => {
  const open = () => openPostgres({ url: database.url!, poolSize: 1 });
  const [stopped, other] = [open(), open()];
  const locked = sql`insert into lease (name, holder, expires_at) values ('left', 'somebody', now())`;
  let [hold, wake] = [(): void => {}, (): void => {}];
  const held = new Promise<void>((resolve) => (hold = resolve));
  const asleep = new Promise<void>((resolve) => (wake = resolve));
  const left = stopped.tx(async (tx) => {
    await tx.query(locked);
    hold();
    await asleep;
    await tx.query(sql`select 1`);
  });
  const ended = expect(left).rejects.toThrow();
  await held;
  await other.query(locked);
  wake();
  await ended;
  await Promise.all([stopped.close(), other.close()]);
});
