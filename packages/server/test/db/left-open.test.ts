// Runs on PostgreSQL only.
import sql from 'sql-template-tag';
import { test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { DEFAULT_RULES } from '../../src/anchoring/rules.ts';
import { openPostgres } from '../../src/db/postgres.ts';

const database = useDatabase();

// A process that stops inside a transaction (a frozen machine, a debugger) keeps its locks.
test.concurrent.for(['none', 'transaction'] as const)(
  "ends an abandoned transaction before the leader's lease expires and releases its locks: DATABASE_POOLER=%s",
  async (pooler, { expect }) => {
    const open = () => openPostgres({ url: database.url!, poolSize: 1, pooler });
    const [stopped, other] = [open(), open()];
    try {
      const locked = sql`insert into lease (name, holder, expires_at) values (${pooler}, 'somebody', now())`;
      const [setting] = await stopped.tx((tx) =>
        tx.query<{ ms: number }>(
          sql`select setting::int as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`,
        ),
      );
      expect(setting!.ms).toBeGreaterThan(0);
      expect(setting!.ms).toBeLessThan(DEFAULT_RULES.leaseSeconds * 1000);
      let holds = (): void => {};
      let wake = (): void => {};
      const held = new Promise<void>((resolve) => (holds = resolve));
      const asleep = new Promise<void>((resolve) => (wake = resolve));
      const left = stopped.tx(async (tx) => {
        await tx.query(locked);
        holds();
        await asleep;
        await tx.query(sql`select 1`);
      });
      const ended = expect(left).rejects.toThrow();
      await held;
      await other.query(locked);
      wake();
      await ended;
      expect(await stopped.query(sql`select name from lease where name = ${pooler}`)).toHaveLength(1);
    } finally {
      await Promise.all([stopped.close(), other.close()]);
    }
  },
);
