import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../db/db.ts';

/**
 * A column with the public state: a random value for each topic. Statements that reveal or retract renew a topic's
 * value (search-index/index-store.ts), and a standby must have the same values (standby/standby.ts).
 */
export const PUBLIC_STATE: Sql = sql`array_to_string(array(
  select category_id || ' ' || state from topic_count order by category_id), ',')`;

/**
 * Marks a change of more than one etch: renewing one topic's value changes the whole state. Run it late in the
 * transaction, as counts are.
 */
export async function renewState(tx: Tx): Promise<void> {
  await tx.query(sql`
    update topic_count set state = gen_random_uuid() where category_id = (select min(category_id) from topic_count)`);
}

export const NOT_BEHIND: Sql = sql`false`;
