import { randomBytes, randomUUID } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { collectEvents, queueMissed } from '../../src/events/collect-store.ts';
import { withDatabase } from '../../../../testing/database/test-database.ts';

const NOW = '2026-05-01T12:00:00.000Z';
const LATER = '2026-05-01T13:00:00.000Z';
const EARLIER = '2026-05-01T11:00:00.000Z';

async function fill(
  db: Db,
  uids: readonly Buffer[],
  { state, time }: { state: string; time: string } = { state: 'FINAL', time: 'staged_at' },
): Promise<{ user: string; etches: string[] }> {
  const user = randomUUID();
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at) values (${user}, 'human', 'someone', 'Someone', ${EARLIER})`);
  const [tx] = await db.query<{ id: number }>(sql`
    insert into anchor_tx (sender, nonce, action, calldata, state, not_before, ${raw(time)})
    values (${randomBytes(20)}, 0, 'attest', '', ${state}, ${EARLIER}, ${EARLIER}) returning id`);
  const etches: string[] = [];
  for (const [position, uid] of uids.entries()) {
    const id = randomUUID();
    etches.push(id);
    await db.query(sql`
      insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
      values (${id}, ${user}, ${`code${position}`}, 'instant', 'revealed', ${randomBytes(32)}, '', 'ai', ${EARLIER}, ${EARLIER}, 'text',
        ${randomBytes(32)})`);
    const [batch] = await db.query<{ id: number }>(sql`
      insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
      values (${tx!.id}, ${position}, 0, 2, ${randomBytes(32)}, 1, ${uid}, ${EARLIER}) returning id`);
    await db.query(sql`
      insert into batch_leaf (batch_id, kind, etch_id, proof) values (${batch!.id}, 0, ${id}, '')`);
  }
  return { user, etches };
}

const challenge = (db: Db, id: string, user: string, revealAt: string, code: string) =>
  db.query(sql`
    insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    values (${id}, ${code}, 'Will it?', 'ai', ${user}, ${EARLIER}, ${revealAt})`);

const collect = async (db: Db, at: string): Promise<string[]> => {
  const [state] = await db.query<{ last: number }>(sql`select last_position as last from event_state`);
  await collectEvents(db, Date.parse(at), {
    onNewEvents: async () => {},
    findResolved: async () => undefined,
  });
  const rows = await db.query<{ type: string; record_id: string }>(sql`
    select type, record_id from event where position > ${state!.last} order by type, record_id`);
  return rows.map(({ type, record_id }) => `${type} ${record_id}`);
};

describe('trees and challenges without a queue entry', () => {
  test('get their missing events within minutes, once', () =>
    withDatabase(async (db) => {
      const { user, etches } = await fill(db, [randomBytes(32)]);
      const open = randomUUID();
      await challenge(db, open, user, LATER, 'open');
      expect(await collect(db, NOW)).toEqual([]);
      for (let round = 0; round < 2; round++) await queueMissed(db, NOW);
      expect(await collect(db, NOW)).toEqual([`etch.anchored ${etches[0]}`]);
      await queueMissed(db, NOW);
      expect(await collect(db, NOW)).toEqual([]);
      expect(await collect(db, '2026-05-01T14:00:00.000Z')).toEqual([`challenge.closed ${open}`]);
    }));
});
