import sql, { type Sql } from 'sql-template-tag';
import type { World } from '../system/world.ts';

export async function tampered(
  world: World,
  change: (db: (statement: Sql) => Promise<unknown>) => Promise<void>,
  look: () => Promise<void>,
) {
  const tables = ['etch', 'batch', 'batch_leaf'];
  await world.withDb(async (db) => {
    for (const table of tables) await db.query(sql([`create table saved_${table} as table ${table}`]));
    await change((statement) => db.query(statement));
  });
  try {
    await look();
  } finally {
    await world.withDb(async (db) => {
      for (const table of [...tables].reverse())
        await db.query(sql([`delete from ${table}`])).catch(() => undefined);
      await db.tx(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        for (const table of tables) {
          await tx.query(sql([`delete from ${table}`]));
          await tx.query(sql([`insert into ${table} overriding system value select * from saved_${table}`]));
          await tx.query(sql([`drop table saved_${table}`]));
        }
      });
    });
  }
}
