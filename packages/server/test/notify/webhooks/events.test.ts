import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { markAnchored } from '../../../src/anchoring/ledger/transitions.ts';

const service = useService({ chain: true });
const collect = () => service.runTask('events');

async function events(agent: TestAgent, query = '') {
  const { status, body, text } = await service.get(`/api/v1/me/events${query}`, agent);
  expect(status, text).toBe(200);
  return body as { events: any[]; page: { next_cursor: string; has_more: boolean; limit: number } };
}
const shown = ({ events: list }: { events: any[] }) =>
  list.map(({ type, data }) => `${type} ${(data.etch ?? data.challenge).id}`);

afterEach(() => service.clock.release());

test('events cover anchoring, reveals, retractions and closed challenges, once each, in a fixed order', async () => {
  const [author, asker] = await service.agents(2);
  const open = await service.etch(author);
  const asked = { reveal_at: service.at(400_000) };
  const sealed = await service.seal(author, { ...asked, content: 'canary-sealed' });
  const challenge = await service.ask(asker, asked);
  const entry = await service.etch(author, { mode: 'delayed', challenge_id: challenge.id });
  await collect();
  expect(shown(await events(author))).toEqual([]);

  await service.anchor();
  await collect();
  await collect();
  const anchored = await events(author);
  expect(shown(anchored).sort()).toEqual([open, sealed, entry].map(({ id }) => `etch.anchored ${id}`).sort());
  expect(JSON.stringify(anchored)).not.toContain('canary-sealed');
  const hidden = anchored.events.find(({ data }) => data.etch.id === sealed.id);
  expect(hidden.data.etch).toMatchObject({ status: 'sealed', content: null, salt: null, created_at: null });
  expect(hidden.timestamp).toBe(hidden.data.etch.chain.anchored_at);

  expect((await service.retract(author, open.id)).status).toBe(200);
  await collect();
  service.clock.set(Date.parse(asked.reveal_at));
  await service.runTask('reveal');
  await collect();
  const after = await events(author, `?cursor=${anchored.page.next_cursor}`);
  expect(shown(after).slice(0, 1)).toEqual([`etch.retracted ${open.id}`]);
  expect(shown(after).slice(1).sort()).toEqual(
    [`etch.revealed ${entry.id}`, `etch.revealed ${sealed.id}`].sort(),
  );
  const opened = after.events.find(({ data }) => data.etch.id === sealed.id);
  expect(opened.data.etch.content).toBe('canary-sealed');
  service.clock.advance(2_000);
  await collect();
  await collect();

  const closed = await events(author, `?cursor=${after.page.next_cursor}`);
  expect(shown(closed)).toEqual([`challenge.closed ${challenge.id}`]);
  const closing = { timestamp: asked.reveal_at, data: { challenge: { closed: true } } };
  expect(closed.events[0]).toMatchObject(closing);
  expect(shown(await events(asker))).toEqual([`challenge.closed ${challenge.id}`]);
  expect(shown(await events(author, `?cursor=${closed.page.next_cursor}`))).toEqual([]);

  const all: any[] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const page = await events(author, `?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
    all.push(...page.events);
    ({ next_cursor: cursor, has_more: more } = page.page);
  }
  expect(shown({ events: all })).toEqual([...shown(anchored), ...shown(after), ...shown(closed)]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  const gone = all.find(({ data }) => data.etch?.id === open.id).data.etch;
  expect(gone).toMatchObject({ status: 'retracted', content: null });
});

test('events belong to their account, like their cursors', async () => {
  const [author, other] = await service.agents(2);
  const { id } = await service.etch(author);
  await service.retract(author, id);
  await collect();
  const own = await events(author);
  expect(shown(own)).toEqual([`etch.retracted ${id}`]);
  expect(shown(await events(other))).toEqual([]);
  const { status } = await service.get(`/api/v1/me/events?cursor=${own.page.next_cursor}`, other);
  expect(status).toBe(400);
});

test('events are made once by several processes', async () => {
  const author = await service.registerAgent();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const { id } = await service.etch(author);
    await service.retract(author, id);
    ids.push(id);
  }
  await Promise.all(Array.from({ length: 8 }, collect));
  await collect();
  expect(shown(await events(author)).sort()).toEqual(ids.map((id) => `etch.retracted ${id}`).sort());
});

test('events are made again for an etch that the chain lost and has under a different attestation', async () => {
  const author = await service.registerAgent();
  const { id } = await service.etch(author);
  await service.anchor();
  await collect();
  const [before] = await service.db.query<{ id: number; uid: Buffer; anchored_at: string }>(
    sql`select id, uid, anchored_at from batch
          where id = (select batch_id from batch_leaf where kind = 0 and etch_id = ${id})`,
  );
  const { id: batchId, uid, anchored_at: anchoredAt } = before!;
  const held = (attestation: Buffer) =>
    service.db.tx((tx) =>
      markAnchored(tx, [
        { batchId, uid: `0x${attestation.toString('hex')}`, time: Date.parse(anchoredAt) / 1000 },
      ]),
    );
  // Anchoring writes this when a block is gone, and when a different block contains the transaction.
  await service.db.query(sql`update batch set uid = null, anchored_at = null where id = ${batchId}`);
  await collect();
  await held(Buffer.alloc(32, 7));
  await collect();
  await collect();
  expect(shown(await events(author))).toEqual([`etch.anchored ${id}`, `etch.anchored ${id}`]);
  await held(Buffer.alloc(32, 7));
  await collect();
  expect((await events(author)).events).toHaveLength(2);
  await held(uid);
  await collect();
});

test('events are deleted after 90 days and not before', async () => {
  const author = await service.registerAgent();
  const { id } = await service.etch(author);
  await service.retract(author, id);
  await collect();
  await service.runTask('forget events');
  expect((await events(author)).events).toHaveLength(1);
  service.clock.advance(91 * 24 * 3_600_000);
  await service.runTask('forget events');
  expect((await events(author)).events).toHaveLength(0);
});
