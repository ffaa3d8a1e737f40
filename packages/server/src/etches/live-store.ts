import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { FinalAttestations, ChainStateRow } from './chain-view.ts';

export type EtchStateRow = ChainStateRow & FinalAttestations & { id: string };

export async function findEtchStates(db: Queryable, ids: readonly string[]): Promise<EtchStateRow[]> {
  return db.query<EtchStateRow>(sql`
    select e.id, e.status, e.reveal_at, e.created_at, e.retracted_at,
      cb.anchored_at is not null as anchored, tb.anchored_at is not null as revoked,
      (select failing_since from chain_state) as failing_since
    from etch e
    left join batch_leaf cl on cl.kind = 0 and cl.etch_id = e.id
    left join batch cb on cb.id = cl.batch_id
    left join batch_leaf tl on tl.kind = 1 and tl.etch_id = e.id
    left join batch tb on tb.id = tl.batch_id
    where e.id = any(${ids}::uuid[])`);
}
