import { randomBytes, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { collectEvents, queueMissed } from '../../src/events/collect-store.ts';
import { withDatabase } from '../../../../testing/database/test-database.ts';

const NOW = '2026-05-01T12:00:00.000Z';
const LATER = '2026-05-01T13:00:00.000Z';
const EARLIER = '2026-05-01T11:00:00.000Z';

async function fill(db: Db): Promise<{ user: string; etch: string }> {
  const user = randomUUID();
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at) values (${user}, 'human', 'someone', 'Someone', ${EARLIER})`);
  const [tx] = await db.query<{ id: number }>(sql`
    insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at)
    values (${randomBytes(20)}, 0, 'attest', '', 'FINAL', ${EARLIER}, ${EARLIER}) returning id`);
  const etch = randomUUID();
  await db.query(sql`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
    values (${etch}, ${user}, 'code', 'instant', 'revealed', ${randomBytes(32)}, '', 'ai', ${EARLIER}, ${EARLIER}, 'text',
      ${randomBytes(32)})`);
  const [batch] = await db.query<{ id: number }>(sql`
    insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
    values (${tx!.id}, 0, 0, 2, ${randomBytes(32)}, 1, ${randomBytes(32)}, ${EARLIER}) returning id`);
  await db.query(
    sql`insert into batch_leaf (batch_id, kind, etch_id, proof) values (${batch!.id}, 0, ${etch}, '')`,
  );
  return { user, etch };
}

const collect = async (db: Db, at: string): Promise<string[]> => {
  const [state] = await db.query<{ last: number }>(sql`select last_position as last from event_state`);
  const beside = { onNewEvents: async () => {}, findResolved: async () => undefined };
  await collectEvents(db, Date.parse(at), beside);
  const rows = await db.query<{ type: string; record_id: string }>(sql`
    select type, record_id from event where position > ${state!.last} order by type, record_id`);
  return rows.map(({ type, record_id }) => `${type} ${record_id}`);
};

test('trees and challenges without a queue entry get their missing events within minutes, once', () =>
  withDatabase(async (db) => {
    const { user, etch } = await fill(db);
    const open = randomUUID();
    await db.query(sql`
      insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
      values (${open}, 'open', 'Will it?', 'ai', ${user}, ${EARLIER}, ${LATER})`);
    expect(await collect(db, NOW)).toEqual([]);
    for (let round = 0; round < 2; round++) await queueMissed(db, NOW);
    expect(await collect(db, NOW)).toEqual([`etch.anchored ${etch}`]);
    await queueMissed(db, NOW);
    expect(await collect(db, NOW)).toEqual([]);
    expect(await collect(db, '2026-05-01T14:00:00.000Z')).toEqual([`challenge.closed ${open}`]);
  }));
