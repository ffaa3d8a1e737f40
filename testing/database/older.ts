import { raw } from 'sql-template-tag';
import {
  continueNumbers,
  listTables,
  readRows,
  suspendSelfReferences,
  writeRows,
  type Table,
} from '../../packages/server/src/admin/archive/tables.ts';
import type { Db } from '../../packages/server/src/db/db.ts';

export async function remember(db: Db): Promise<() => Promise<void>> {
  const kept: { table: Table; lines: string[] }[] = [];
  for (const table of await listTables(db)) {
    const lines: string[] = [];
    for await (const some of readRows(db, table, 100)) lines.push(...some);
    kept.push({ table, lines });
  }
  return () =>
    db.tx(async (tx) => {
      // Triggers forbid the deletion of operator acts.
      await tx.query(raw('alter table operator_act disable trigger user'));
      await tx.query(
        raw(`truncate ${kept.map(({ table }) => `"${table.name}"`).join(', ')}, lease, search_queue cascade`),
      );
      const resume = await suspendSelfReferences(tx);
      for (const { table, lines } of kept) {
        await writeRows(tx, table, lines);
        await continueNumbers(tx, table);
      }
      await resume();
      await tx.query(raw('alter table operator_act enable trigger user'));
    });
}
