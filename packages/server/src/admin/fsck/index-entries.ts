// Recomputes each index entry of the log from the leaves of the trees before it (docs/protocol.md#418-the-index-of-accounts).
import { decodeAttestationData } from '@svc/protocol';
import { AccountIndex, readIndexData } from '@svc/protocol/account-index';
import type { Queryable } from '../../db/db.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { entriesFrom, leavesAt } from '../../proofs/account-index/index-store.ts';
import type { Report } from './report.ts';

const AT_ONCE = 100;

/** Ends at a tree whose etches a restored database lost (docs/operating/recovery.md#lost-etches). */
export async function checkIndexEntries(
  db: Queryable,
  report: Report,
  progress: (done: number) => void,
): Promise<void> {
  const index = new AccountIndex(sha256);
  for (let at = 0; ; at += AT_ONCE) {
    const entries = await entriesFrom(db, at, AT_ONCE);
    for (const { index: logIndex, data } of entries) {
      const found = readIndexData(data);
      const tree = found === null ? decodeAttestationData(data) : null;
      if (tree?.treeVersion === 2) {
        const packed = await leavesAt(db, logIndex);
        if (packed?.length !== 48 * tree.treeSize) return;
        await runInTimeSlices(index.addTree({ logIndex, kind: tree.kind, packed }));
      }
      if (found === null) continue;
      report.count('index entries');
      const root = await runInTimeSlices(index.root());
      if (!Buffer.from(root).equals(found.root))
        report.fault('index entry', String(logIndex), 'its root is not that of the leaves before it');
    }
    if (entries.length < AT_ONCE) return;
    progress(at + AT_ONCE);
  }
}
