import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { withDatabase } from '../../../../testing/database/test-database.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';

const BEFORE = 32;

test('a migration renames the states of older transactions and keeps the others', () =>
  withDatabase(
    async (db) => {
      const migrations = await readMigrations();
      await migrate(
        db,
        migrations.filter(({ version }) => version <= BEFORE),
      );
      const older = ['SEALED', 'SIGNED', 'SENT', 'MINED', 'SAFE', 'HALTED', 'LOST'];
      for (const [nonce, state] of older.entries())
        await db.query(sql`
        insert into anchor_tx (sender, nonce, action, calldata, state, not_before, sealed_at)
        values ('\\x01', ${nonce}, 'fill', '', ${state}, now(), '2026-05-01')`);
      await migrate(db, migrations);

      const rows = await db.query<{ state: string; staged_at: string }>(
        sql`select state, staged_at from anchor_tx order by nonce`,
      );
      const states = ['STAGED', 'SIGNED', 'SENT', 'MINED', 'FINAL', 'HALTED', 'LOST'];
      expect(rows.map(({ state }) => state)).toEqual(states);
      expect(new Set(rows.map(({ staged_at }) => staged_at)).size).toBe(1);
      await expect(db.query(sql`update anchor_tx set state = 'SEALED' where nonce = 0`)).rejects.toThrow();
    },
    { migrated: false },
  ));
