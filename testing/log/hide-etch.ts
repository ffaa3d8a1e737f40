import { ACCOUNT_ENTRY_LENGTH, accountKey, encodeIndexData } from '@svc/protocol/account-index';
import sql from 'sql-template-tag';
import type { Db } from '../../packages/server/src/db/db.ts';
import {
  entriesOf,
  readState,
  storeAccounts,
} from '../../packages/server/src/proofs/account-index/index-store.ts';
import { LiveMap, stateOfEntries } from '../../packages/server/src/proofs/account-index/live-map.ts';
import { insertIndexEntry, lockLog, logSize } from '../../packages/server/src/proofs/log/entries.ts';

/**
 * A dishonest operator removes an etch from the record and from the index, and appends an index entry that fits. The
 * service continues from it. Trees, attestations and earlier entries stay.
 */
export const hideEtch = (db: Db, etchId: string): Promise<void> =>
  db.tx(async (tx) => {
    await lockLog(tx);
    const userId = await tx.value<string>(sql`select user_id from etch where id = ${etchId}`);
    for (const table of [sql`batch_leaf`, sql`etch_search`])
      await tx.query(sql`delete from ${table} where etch_id = ${etchId}`);
    await tx.query(sql`delete from etch where id = ${etchId}`);
    const [size, { generation }] = [await logSize(tx), await readState(tx)];
    const entries = await entriesOf(tx, userId, size);
    const { count, peaks } = await stateOfEntries(entries, entries.length / ACCOUNT_ENTRY_LENGTH);
    await storeAccounts(tx, [
      { key: Buffer.from(accountKey(userId)), userId, count, peaks: Buffer.concat(peaks), since: size },
    ]);
    const map = await LiveMap.load(tx, { covered: size, generation });
    const data = encodeIndexData({ root: await map.root(), covered: size });
    await insertIndexEntry(tx, size, data);
    await tx.query(sql`update account_index_state set covered = ${size + 1}`);
  });
