import { buildFlatTree, etchLeaf } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import type { Report } from './report.ts';

interface StoredTree {
  id: number;
  kind: 0 | 1;
  tree_version: 0 | 1 | 2;
  root: string;
  tree_size: number;
  /** null while it waits to be attested again */
  state: string | null;
  uid: Buffer | null;
  anchored_at: string | null;
  tx_hash: Buffer | null;
  /** author and hash, null if the etch is gone */
  leaves: [string | null, string | null][] | null;
}

const AT_ONCE = 4;

export async function checkTrees(
  db: Queryable,
  report: Report,
  progress: (done: number) => void,
): Promise<void> {
  let last = 0;
  for (;;) {
    const page = await db.query<StoredTree>(sql`
      select b.id, b.kind, b.tree_version, encode(b.root, 'hex') as root, b.tree_size, t.state, b.uid, b.anchored_at, t.tx_hash,
        (select json_agg(json_build_array(e.user_id, encode(e.hash, 'hex')))
          from batch_leaf l left join etch e on e.id = l.etch_id where l.batch_id = b.id) as leaves
      from batch b left join anchor_tx t on t.id = b.tx_id
      where b.id > ${last} order by b.id limit ${AT_ONCE}`);
    for (const tree of page) {
      report.count('roots');
      checkTree(tree, (what) => report.fault(tree.kind === 0 ? 'tree' : 'tombstone tree', tree.root, what));
    }
    progress(report.checked['roots'] ?? 0);
    if (page.length < AT_ONCE) return;
    last = page.at(-1)!.id;
  }
}

function checkTree(tree: StoredTree, fault: (what: string) => void): void {
  const leaves =
    (typeof tree.leaves === 'string' ? (JSON.parse(tree.leaves) as StoredTree['leaves']) : tree.leaves) ?? [];
  const anchored = tree.state === 'FINAL';
  if (tree.state === 'LOST') fault('its transaction was given up');
  if (anchored && (!tree.uid || tree.anchored_at === null || !tree.tx_hash))
    fault('its transaction is final, but its attestation is not stored');
  const whole = leaves.filter(([author, hash]) => author !== null && hash !== null) as [string, string][];
  if (whole.length !== tree.tree_size)
    return fault(
      `it has ${tree.tree_size} leaves, of which ${tree.tree_size - whole.length} are missing: their etches were deleted`,
    );
  try {
    if (rootOf(tree.tree_version, whole) !== tree.root) fault('its etches do not fold to it');
  } catch {
    fault('its etches cannot be folded');
  }
}

function rootOf(version: 0 | 1 | 2, leaves: readonly [string, string][]): string {
  if (version === 0) return leaves[0]![1];
  const hashed = leaves.map(([author, hash]) => etchLeaf(version, author, hash, sha256));
  return Buffer.from(buildFlatTree(hashed, sha256).root).toString('hex');
}
