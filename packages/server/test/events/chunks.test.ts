import { randomBytes, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import type { Queryable, Tx } from '../../src/db/db.ts';
import { collectEvents, queueMissed } from '../../src/events/collect-store.ts';
import { queueAnchored, queueClosing } from '../../src/events/event-store.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const EARLIER = '2026-05-01T11:00:00.000Z';
const CLOSES = '2026-05-01T12:00:00.000Z';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MOST = 2_000;
const LOWEST = '00000000-0000-4000-8000-000000000000';

const db = useDatabase();
const closes = Date.parse(CLOSES);

/** @returns the number of events in each transaction */
async function collect(at: number, beside: (tx: Tx) => Promise<void> = async () => {}): Promise<number[]> {
  const chunks: number[] = [];
  const onNewEvents = async (tx: Tx, after: number) => {
    chunks.push((await tx.query(sql`select 1 from event where position > ${after}`)).length);
    await beside(tx);
  };
  await collectEvents(db, at, { onNewEvents, findDecided: async () => undefined });
  return chunks;
}

async function insertEtches(to: Queryable, count: number, challenge: string | null, user?: string) {
  const rows = await to.query<{ id: string }>(sql`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, challenge_id, created_at, reveal_at, content, salt)
    select gen_random_uuid(), coalesce(${user ?? null}::uuid, gen_random_uuid()), gen_random_uuid()::text, 'delayed', 'revealed',
      ${randomBytes(32)}, '', 'ai', ${challenge}, ${EARLIER}, ${CLOSES}, 'text', ${randomBytes(32)}
    from generate_series(1, ${count}::int) returning id`);
  return rows.map(({ id }) => id);
}

async function openChallenge(queue = queueClosing): Promise<{ id: string; creator: string }> {
  const [id, creator] = [randomUUID(), randomUUID()];
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at)
    values (${creator}, 'human', ${creator.replaceAll('-', '_')}, 'Someone', ${EARLIER})`);
  await db.tx(async (tx) => {
    await tx.query(sql`
      insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
      values (${id}, ${id}, 'Will it?', 'ai', ${creator}, ${EARLIER}, ${CLOSES})`);
    await queue(tx, id, CLOSES);
  });
  return { id, creator };
}

async function receiversOf(record: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select user_id as id from event where record_id = ${record}`,
  );
  return rows.map(({ id }) => id);
}

// Later tests add challenges, which it would queue too.
test('trees and challenges without a queue entry get their missing events within minutes, once', async () => {
  const [etch] = await insertEtches(db, 1, null);
  await insertTree([etch!], randomBytes(32));
  const { id } = await openChallenge(async () => []);
  for (const [queued, at, ofEtch, ofChallenge] of [
    [0, closes - HOUR, 0, 0],
    [2, closes - HOUR, 1, 0],
    [1, closes - HOUR, 1, 0],
    [0, closes + HOUR, 1, 1],
  ] as const) {
    for (let time = 0; time < queued; time++) await queueMissed(db, EARLIER);
    await collect(at);
    expect([(await receiversOf(etch!)).length, (await receiversOf(id)).length]).toEqual([
      ofEtch,
      ofChallenge,
    ]);
  }
});

describe('events are made in chunks', () => {
  test('of a challenge with many entrants, one event each', async () => {
    const { id, creator } = await openChallenge();
    await insertEtches(db, 4_500, id);
    const chunks = await collect(closes + 2 * SECOND);
    expect(Math.max(...chunks)).toBe(MOST);
    const receivers = await receiversOf(id);
    expect([receivers.length, new Set(receivers).size]).toEqual([4_501, 4_501]);
    expect(receivers).toContain(creator);
  });

  test('of a large tree, one event for each etch', async () => {
    const etches = await insertEtches(db, 4_500, null);
    const batch = await insertTree(etches, randomBytes(32));
    await db.tx((tx) => queueAnchored(tx, [batch]));
    const chunks = await collect(closes);
    expect(Math.max(...chunks)).toBe(MOST);
    const receivers = await db.query<{ id: string }>(
      sql`select record_id as id from event where record_id = any(${etches}::uuid[])`,
    );
    expect(receivers.map(({ id }) => id).sort()).toEqual([...etches].sort());
    await db.tx((tx) => queueAnchored(tx, [batch]));
    expect(Math.max(...(await collect(closes)))).toBe(0);
  });

  test('for a tree that the chain loses halfway, and all again when the tree is back', async () => {
    const etches = await insertEtches(db, 2_500, null);
    const uid = randomBytes(32);
    const batch = await insertTree(etches, uid);
    await db.tx((tx) => queueAnchored(tx, [batch]));
    let lost = false;
    await collect(closes, async (tx) => {
      if (!lost) await tx.query(sql`update batch set anchored_at = null where id = ${batch}`);
      lost = true;
    });
    await db.query(sql`update batch set anchored_at = ${EARLIER} where id = ${batch}`);
    await db.tx((tx) => queueAnchored(tx, [batch]));
    await collect(closes);
    const receivers = sql`select distinct record_id from event where record_id = any(${etches}::uuid[])`;
    expect(await db.query(receivers)).toHaveLength(2_500);
  });
});

describe('an entrant of the last moment whose entry is committed late', () => {
  test.each([
    ['between two chunks', undefined],
    ['after everybody was told', 30 * SECOND],
    ['after the second look', 3 * MINUTE],
  ])('gets one event: %s', async (_name, late) => {
    const { id } = await openChallenge();
    await insertEtches(db, 2_100, id);
    // Earlier chunks are already past the lowest id when it appears.
    const user = LOWEST;
    const enter = (to: Queryable) => insertEtches(to, 1, id, user);
    let isFirst = late === undefined;
    await collect(closes + 2 * SECOND, async (tx) => {
      if (isFirst) await enter(tx);
      isFirst = false;
    });
    for (const at of [SECOND * 30, MINUTE * 2.5, MINUTE * 3, MINUTE * 63, MINUTE * 65]) {
      if (at === late) await enter(db);
      await collect(closes + at);
    }
    const receivers = await receiversOf(id);
    expect(receivers).toContain(user);
    expect([receivers.length, new Set(receivers).size]).toEqual([2_102, 2_102]);
    expect(await db.query(sql`select 1 from challenge_closing where challenge_id = ${id}`)).toEqual([]);
  });
});

async function insertTree(etches: readonly string[], uid: Buffer): Promise<number> {
  const [tx] = await db.query<{ id: number }>(sql`
    insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at)
    values (${randomBytes(20)}, 0, 'attest', '', 'FINAL', ${EARLIER}, ${EARLIER}) returning id`);
  const [batch] = await db.query<{ id: number }>(sql`
    insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
    values (${tx!.id}, 0, 0, 2, ${randomBytes(32)}, ${etches.length}, ${uid}, ${EARLIER}) returning id`);
  await db.query(sql`
    insert into batch_leaf (batch_id, kind, etch_id, proof)
    select ${batch!.id}, 0, id, '' from unnest(${etches}::uuid[]) as v (id)`);
  return batch!.id;
}
