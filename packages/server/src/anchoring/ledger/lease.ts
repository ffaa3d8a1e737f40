// One process anchors at a time: the one that holds this lease.
import sql from 'sql-template-tag';
import { prepared, type Queryable, type Tx } from '../../db/db.ts';
import { IDLE_IN_TRANSACTION_MS } from '../../db/sessions.ts';

const NAME = 'anchoring';

/** A different process leads; this write was rolled back. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Uses the database's clock. The lease only saves work: the tables' constraints give safety. */
export async function takeLease(db: Queryable, holder: string, seconds: number): Promise<boolean> {
  const rows = await db.query(
    prepared(sql`
    insert into lease (name, holder, expires_at)
    values (${NAME}, ${holder}, clock_timestamp() + ${seconds}::float8 * interval '1 second')
    on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
    where lease.holder = excluded.holder or lease.expires_at < clock_timestamp()
    returning holder`),
  );
  return rows.length === 1;
}

export const giveUpLease = (db: Queryable, holder: string) =>
  db.query(sql`delete from lease where name = ${NAME} and holder = ${holder}`);

/**
 * A process may lose its lease while paused. The timeout ends an idle transaction before the lease expires; it is
 * set here because a pooler may drop session settings.
 * @throws LeaseLost
 */
export async function fence(tx: Tx, holder: string): Promise<void> {
  const rows = await tx.query(sql`
    select set_config('idle_in_transaction_session_timeout', ${String(IDLE_IN_TRANSACTION_MS)}, true) from lease
    where name = ${NAME} and holder = ${holder} and expires_at > clock_timestamp()`);
  if (rows.length === 0) throw new LeaseLost('another process leads anchoring');
}
