import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import type { Report } from './report.ts';

/** Each statement returns the ids that break a rule without a constraint. */
const RULES: readonly { kind: string; what: string; broken: Sql }[] = [
  // A foreign key would slow each creation down (000001_core.sql).
  {
    kind: 'etch',
    what: 'its account is gone',
    broken: sql`select e.id::text as id from etch e where not exists (select from account a where a.id = e.user_id)`,
  },
  {
    kind: 'anchoring job',
    what: 'its etch is gone',
    broken: sql`select j.etch_id::text as id from anchor_job j where not exists (select from etch e where e.id = j.etch_id)`,
  },
  {
    kind: 'transaction',
    what: 'its mined hash is no signed form of it',
    broken: sql`select t.id::text as id from anchor_tx t
      where t.state in ('MINED', 'FINAL') and not exists (select from tx_attempt a where a.tx_id = t.id and a.hash = t.tx_hash)`,
  },
  {
    kind: 'transaction',
    what: 'it is final without a block',
    broken: sql`select id::text as id from anchor_tx where state = 'FINAL' and (block_number is null or block_time is null)`,
  },
  {
    kind: 'transaction',
    what: 'it has no batch and no unplaced attestation',
    broken: sql`select t.id::text as id from anchor_tx t where t.action = 'attest' and t.state <> 'LOST' and t.unplaced = 0
      and not exists (select from batch b where b.tx_id = t.id)`,
  },
  {
    kind: 'challenge',
    what: 'its count is not the number of its etches',
    broken: sql`select c.id::text as id from challenge c left join challenge_tally t on t.id = c.id
      where t.etch_count is distinct from (select count(*) from etch e where e.challenge_id = c.id)`,
  },
  {
    kind: 'challenge',
    what: 'an etch in it has a different reveal time or topic, or is not delayed',
    broken: sql`select distinct c.id::text as id from challenge c join etch e on e.challenge_id = c.id
      where e.reveal_at is distinct from c.reveal_at or e.category_id <> c.category_id or e.mode <> 'delayed'`,
  },
  {
    kind: 'idempotency key',
    what: 'its record is gone',
    broken: sql`select i.record_id::text as id from idempotency i
      where not exists (select from etch e where e.id = i.record_id)
        and not exists (select from challenge c where c.id = i.record_id)`,
  },
];

export async function checkLedger(db: Queryable, report: Report): Promise<void> {
  for (const { kind, what, broken } of RULES) {
    report.count('rules');
    for (const { id } of await db.query<{ id: string }>(broken)) report.fault(kind, id, what);
  }
}
