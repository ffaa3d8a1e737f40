import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../db/db.ts';

/**
 * A random value for each topic, renewed by reveals and retractions. A standby must have the same
 * (platform/standby/standby.ts).
 */
export const PUBLIC_STATE: Sql = sql`array_to_string(array(
  select category_id || ' ' || state from topic_count order by category_id), ',')`;

/** Renews one topic's value, which is enough for a change of several etches. Run it late in the transaction. */
export async function renewState(tx: Tx): Promise<void> {
  await tx.query(sql`
    update topic_count set state = gen_random_uuid() where category_id = (select min(category_id) from topic_count)`);
}

export const NOT_BEHIND: Sql = sql`false`;
