import sql, { type Sql } from 'sql-template-tag';
import type { Tx } from '../db/db.ts';

/**
 * What is public now, by a random name for each topic. The statements that reveal and retract renew the name of the topic
 * (search-index/index-store.ts), and standbys are held against it (standby/standby.ts). As a column.
 */
export const PUBLIC_STATE: Sql = sql`array_to_string(array(
  select category_id || ' ' || state from topic_count order by category_id), ',')`;

/** For what shows or hides more than one etch: one name that is new makes the whole so. Late in its transaction, as counts are. */
export async function renewState(tx: Tx): Promise<void> {
  await tx.query(sql`
    update topic_count set state = gen_random_uuid() where category_id = (select min(category_id) from topic_count)`);
}

/** For a search where nothing has to be waited for. */
export const NOT_BEHIND: Sql = sql`false`;
