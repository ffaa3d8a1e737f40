import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { IDLE_IN_TRANSACTION_MS } from '../../db/sessions.ts';

const NAME = 'anchoring';

/** Another process leads by now: what this one was about to write is not written. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * Takes or renews the one leader's lease, on the database's clock. Safety rests on the constraints of the
 * tables; the lease saves two processes from doing the same work.
 */
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

/** Lets another process lead at once. */
export async function giveUpLease(db: Queryable, holder: string): Promise<void> {
  await db.query(sql`delete from lease where name = ${NAME} and holder = ${holder}`);
}

/**
 * A process that was stopped for a while must not write what it knew before. A transaction that it holds open
 * is ended by the database before the lease is over, also behind a pooler that drops what a session asks for as it opens.
 * @throws LeaseLost
 */
export async function fence(tx: Tx, holder: string): Promise<void> {
  const rows = await tx.query(sql`
    select set_config('idle_in_transaction_session_timeout', ${String(IDLE_IN_TRANSACTION_MS)}, true) from lease
    where name = ${NAME} and holder = ${holder} and expires_at > clock_timestamp()`);
  if (rows.length === 0) throw new LeaseLost('another process leads anchoring');
}
