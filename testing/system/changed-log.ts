import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { decodeAttestationData } from '@svc/protocol';
import { openPglite } from '../../packages/server/src/db/pglite.ts';
import { appendTrees, type LoggedTree } from '../../packages/server/src/proofs/log/entries.ts';

/**
 * Changes the log of a stopped service, as a dishonest operator can: it signs a checkpoint of the new log at its
 * next start.
 */
export async function changeLog(
  dataDir: string,
  change: (trees: LoggedTree[]) => LoggedTree[],
): Promise<void> {
  for (const file of await readdir(dataDir))
    if (file.startsWith('checkpoint-')) await rm(join(dataDir, file));
  const db = await openPglite({ dataDir: join(dataDir, 'database') });
  try {
    const rows = await db.query<{ data: Buffer; batch_id: number }>(
      sql`select data, batch_id from log_entry order by index`,
    );
    const trees = rows.map((row) => ({ ...decodeAttestationData(row.data), batchId: row.batch_id }));
    await db.tx(async (tx) => {
      for (const table of [sql`log_cosignature`, sql`log_checkpoint`, sql`log_hash`, sql`log_entry`])
        await tx.query(sql`delete from ${table}`);
      await appendTrees(tx, change(trees));
    });
  } finally {
    await db.close();
  }
}

export const inventedTree = (number: number): LoggedTree => ({
  ...{ root: Buffer.alloc(32, String(number)), kind: 0, treeVersion: 2, treeSize: 1 + (number % 9999) },
  batchId: null,
});
