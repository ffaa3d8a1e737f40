import sql from 'sql-template-tag';
import type { NewChallenge } from '../challenges/store.ts';
import type { Tx } from '../db/db.ts';

export async function insertChallenge(tx: Tx, challenge: NewChallenge): Promise<void> {
  const { id, code, question, category_id, creator_id, created_at, reveal_at } = challenge;
  await tx.query(sql`
    insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    values (${id}, ${code}, ${question}, ${category_id}, ${creator_id}, ${created_at}, ${reveal_at})`);
  await tx.query(sql`
    insert into challenge_tally (id, category_id, created_at, reveal_at)
    values (${id}, ${category_id}, ${created_at}, ${reveal_at})`);
}
