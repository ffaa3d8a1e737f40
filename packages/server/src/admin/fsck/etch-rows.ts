import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

interface StoredLeaf {
  proof: Buffer | null;
  root: Buffer | null;
  version: 0 | 1 | 2 | null;
}

export interface StoredEtch {
  id: string;
  user_id: string;
  mode: 'instant' | 'delayed';
  status: 'sealed' | 'revealed' | 'retracted';
  hash: Buffer;
  created_at: string;
  reveal_at: string | null;
  sealed: Buffer | null;
  content: string | null;
  salt: Buffer | null;
  signature: Buffer | null;
  signature_key: string | null;
  unreadable: boolean;
  committing: boolean;
  retracting: boolean;
  commitment: StoredLeaf;
  tombstone: StoredLeaf;
  erasure_hash: Buffer | null;
  /** the tombstone is on the chain and the text is stored apart */
  withheld: boolean;
}

type Flat = Omit<StoredEtch, 'commitment' | 'tombstone'> & {
  [Part in keyof StoredLeaf as `c_${Part}` | `t_${Part}`]: StoredLeaf[Part];
};

/** One statement reads etches and anchoring rows, so that they agree. */
export async function readEtches(db: Queryable, after: string | null, limit: number): Promise<StoredEtch[]> {
  const rows = await db.query<Flat>(sql`
    select e.id, e.user_id, e.mode, e.status, e.hash, e.created_at, e.reveal_at, e.sealed, e.content, e.salt, e.signature,
      e.signature_key, e.unreadable,
      exists (select from anchor_job j where j.kind = 0 and j.etch_id = e.id) as committing,
      exists (select from anchor_job j where j.kind = 1 and j.etch_id = e.id) as retracting,
      cl.proof as c_proof, cb.root as c_root, cb.tree_version as c_version,
      tl.proof as t_proof, tb.root as t_root, tb.tree_version as t_version,
      (select x.hash from erasure x where x.etch_id = e.id) as erasure_hash,
      exists (select from withheld w where w.etch_id = e.id) as withheld
    from etch e
    left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id left join batch cb on cb.id = cl.batch_id
    left join batch_leaf tl on tl.kind = 1 and tl.etch_id = e.id left join batch tb on tb.id = tl.batch_id
    ${after === null ? empty : sql`where e.id > ${after}::uuid`} order by e.id limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    commitment: { proof: row.c_proof, root: row.c_root, version: row.c_version },
    tombstone: { proof: row.t_proof, root: row.t_root, version: row.t_version },
  }));
}
