import { randomBytes, randomUUID } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { migrate, readMigrations } from '../../src/db/migrate.ts';
import { queueMissed } from '../../src/events/collect-store.ts';
import { collectEvents } from '../../src/events/collect.ts';
import { withDatabase } from '../../../../testing/database/test-database.ts';

const NOW = '2026-05-01T12:00:00.000Z';
const LATER = '2026-05-01T13:00:00.000Z';
const EARLIER = '2026-05-01T11:00:00.000Z';
/** The last schema in which trees and challenges stored the state of their events. */
const BEFORE = 10;

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

describe('a database whose trees and challenges store the state of their events', () => {
  test('makes only the missing events', () =>
    withDatabase(
      async (db) => {
        const all = await readMigrations();
        await migrate(
          db,
          all.filter(({ version }) => version <= BEFORE),
        );
        const [told, lost, untold] = [randomBytes(32), randomBytes(32), randomBytes(32)];
        const { user, etches } = await fill(db, [told, lost, untold], { state: 'SAFE', time: 'sealed_at' });
        const [closed, due, open] = [randomUUID(), randomUUID(), randomUUID()];
        await challenge(db, closed, user, EARLIER, 'closed');
        await challenge(db, due, user, EARLIER, 'due');
        await challenge(db, open, user, LATER, 'open');
        await db.query(sql`update batch set noted_uid = uid where uid = ${told}`);
        await db.query(sql`update batch set noted_uid = ${randomBytes(32)} where uid = ${lost}`);
        await db.query(sql`update challenge set noted = true where id = ${closed}`);

        await migrate(db, all);
        expect(await collect(db, NOW)).toEqual(
          [`challenge.closed ${due}`, `etch.anchored ${etches[1]}`, `etch.anchored ${etches[2]}`].sort(),
        );
        expect(await collect(db, '2026-05-01T14:00:00.000Z')).toEqual([`challenge.closed ${open}`]);
      },
      { migrated: false },
    ));
});

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

describe('a database with events of resolutions', () => {
  test('stores the resolution of each question whose events were made', () =>
    withDatabase(
      async (db) => {
        const all = await readMigrations();
        const until = (last: number) => all.filter(({ version }) => version <= last);
        await migrate(db, until(34));
        const { user, etches } = await fill(db, [randomBytes(32), randomBytes(32), randomBytes(32)]);
        const target = randomUUID();
        for (const id of etches)
          await db.query(
            sql`update etch set description = ${`svc-resolution:v1 ${target} Rain`} where id = ${id}`,
          );
        for (const [position, type] of [
          'challenge.resolved',
          'challenge.resolved',
          'etch.anchored',
        ].entries())
          await db.query(sql`
            insert into event (position, user_id, type, record_id, at, noted_at)
            values (${position + 1}, ${user}, ${type}, ${etches[position]}, ${NOW}, ${NOW})`);
        await migrate(db, until(35));
        const told = await db.query(sql`select target_id, etch_id from resolution_told`);
        expect(told).toEqual([{ target_id: target, etch_id: etches[1] }]);
      },
      { migrated: false },
    ));
});
