import sql, { raw } from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { tablesWith } from '../../../../testing/database/tables-with.ts';
import { useService } from '../../../../testing/service/service.ts';
import { fsck } from '../../src/admin/fsck/fsck.ts';
import { createErasureFile, replayErasures } from '../../src/acts/erasure-store.ts';
import {
  hide,
  listActs,
  restoreAccount,
  revokeAll,
  suspend,
  takeDown,
} from '../../src/acts/moderation-store.ts';
import { readCounts } from '../../src/vitals/store.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';

const service = useService({ chain: true });
const folder = newFolder('moderation');
const CANARY = 'canary-7d1e';
const doing = () => ({ by: 'keeper', now: service.clock.now() });
const etchBody = { content: 'x', description: 'y', category_id: 'ai', mode: 'instant' };

describe('a suspended account', () => {
  test('cannot create from the next request on, and still reads, reveals, retracts, unfollows and deletes webhooks', async () => {
    const [agent, other] = await service.agents(2);
    const [open, sealed] = [await service.etch(agent), await service.seal(agent)];
    const follow = { target_type: 'user', target_id: other.userId };
    await service.post('/api/v1/follows', follow, agent);
    const hook = await service.post('/api/v1/me/webhooks', { url: 'https://a.example.org/' }, agent);
    expect(await suspend(service.db, agent.username, 'spam', doing())).toBe(true);
    expect(await suspend(service.db, agent.username, 'spam', doing())).toBeNull();

    for (const [method, path, body] of [
      ['POST', '/etches', etchBody],
      ['POST', '/challenges', { question: 'Will it?', category_id: 'ai', reveal_at: service.at(3_600_000) }],
      ['POST', '/follows', follow],
      ['PATCH', '/me', { display_name: 'New' }],
      ['POST', '/me/keys', { name: 'another' }],
      ['POST', '/me/webhooks', { url: 'https://b.example.org/' }],
      ['POST', `/me/webhooks/${hook.body.webhook.id}/ping`, undefined],
    ] as const) {
      const answer = await service.call(method, `/api/v1${path}`, body, agent);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, 'forbidden']);
      expect(answer.body.error.message).toMatch(/suspended this account \(spam\).*ask the operator/);
    }
    for (const [method, path, status = 200] of [
      ['GET', '/me'],
      ['GET', '/feed'],
      ['GET', `/users/${agent.username}/record`],
      ['POST', `/etches/${sealed.id}/reveal`, 422],
      ['POST', `/etches/${open.id}/retract`],
      ['DELETE', `/follows?target_type=user&target_id=${other.userId}`],
      ['DELETE', `/me/webhooks/${hook.body.webhook.id}`],
    ] as const)
      expect((await service.call(method, `/api/v1${path}`, undefined, agent)).status, path).toBe(status);

    expect(await restoreAccount(service.db, agent.username, doing())).toBe(true);
    expect((await service.post('/api/v1/etches', etchBody, agent)).status).toBe(201);
  });

  test('is suspended with every kind of credential, and loses its revoked keys for good', async () => {
    const { key } = await service.signIn('mallory');
    await suspend(service.db, 'mallory', 'abuse', doing());
    expect((await service.post('/api/v1/etches', etchBody, key)).status).toBe(403);
    const agent = await service.registerAgent();
    expect(await revokeAll(service.db, agent.username, doing())).toEqual({ keys: 1, sessions: 0 });
    expect((await service.get('/api/v1/me', agent)).status).toBe(401);
    const kept = sql`select 1 from revocation join api_key k using (hash) where k.user_id = ${agent.userId}`;
    expect(await service.db.query(kept)).toHaveLength(1);
  });
});

describe('a hidden account', () => {
  test('is missing in the feed and on the first page, and present in record and search', async () => {
    const [spammer, reader] = await service.agents(2);
    const { id } = await service.etch(spammer, { content: `${CANARY} buy`, description: 'Buy it' });
    const challenge = await service.ask(spammer);
    await service.runTask('search');
    const has = async (wanted: string, path: string) => {
      const key = path === '/' ? undefined : reader.key;
      return (await service.get(path, { key, headers: { accept: 'application/json' } })).text.includes(
        wanted,
      );
    };
    for (const [reason, shown] of [
      [undefined, true],
      ['spam', false],
      [null, true],
    ] as const) {
      if (reason !== undefined) await hide(service.db, spammer.username, reason, doing());
      expect(await has(id, '/api/v1/feed')).toBe(shown);
      expect([await has(id, '/'), await has(challenge.id, '/')]).toEqual([shown, shown]);
      expect(await has(id, `/api/v1/users/${spammer.username}/etches`)).toBe(true);
      expect(await has(id, `/api/v1/search?q=${CANARY}`)).toBe(true);
    }
  });
});

describe('a text taken down by the operator', () => {
  test('is erased like a retracted text, is marked, and does not count against its author', async () => {
    const agent = await service.registerAgent();
    const down = await service.etch(agent, { content: `${CANARY} words` });
    const own = await service.etch(agent, { content: 'taken back' });
    await service.anchor();
    await service.runTask('search');
    await service.retract(agent, own.id);
    await takeDown(service.db, down.id, 'personal_data', doing());
    await expect(takeDown(service.db, down.id, 'illegal', doing())).rejects.toThrow('already retracted');

    const read = async (path: string) => (await service.get(`/api/v1${path}`)).body;
    const { etch } = await read(`/etches/${down.id}`);
    expect(etch).toMatchObject({ status: 'retracted', content: null, salt: null, hash: down.hash });
    expect([etch.retracted_by, etch.retraction_reason]).toEqual(['operator', 'personal_data']);
    expect((await read(`/etches/${own.id}`)).etch).not.toHaveProperty('retracted_by');
    const { counts } = await read(`/users/${agent.username}/etches`);
    expect(counts).toMatchObject({ total: 2, active: 0, revealed: 0, retracted: 1, taken_down: 1 });
    const { accounts } = await read(`/search/accounts?q=${agent.username}`);
    expect(accounts[0].counts).toEqual(counts);
    const score = await read(`/users/${agent.username}/score`);
    expect(score.counts).toMatchObject({ retractions: 1, takedowns: 1 });
    const { markdown } = await read(`/users/${agent.username}/record`);
    expect(markdown).toContain('1 retracted, 1 taken down by the operator');
    expect(markdown).toContain('Taken down by the operator (personal_data)');
    expect((await service.get(`/u/${agent.username}`)).text).toContain(
      '2 etches: 1 retracted, 1 taken down by the operator.',
    );

    await service.anchor();
    const { revocation } = await read(`/etches/${down.id}/receipt`);
    expect(revocation).toMatchObject({ kind: 1, retracted_at: etch.retracted_at });
    expect((await fsck(service.db, service.keyring)).faults).toEqual([]);
    expect(await tablesWith(service.db, `${CANARY} words`)).toEqual([]);
    await service.runTask('events');
    const { events } = (await service.get('/api/v1/me/events', agent)).body;
    const of = events.filter(({ type, data }: any) => type === 'etch.retracted' && data.etch.id === down.id);
    expect(of).toMatchObject([{ data: { etch: { retracted_by: 'operator' } } }]);
  });

  test('is counted separately from retractions in a challenge, and labeled in its standings', async () => {
    const [asker, ada, ben] = await service.agents(3);
    const challenge = await service.ask(asker, { question: 'Will it? [yes|no]' });
    const answer = { content: 'svc-forecast:v1 yes=0.5', mode: 'delayed', challenge_id: challenge.id };
    const enter = (agent: typeof ada) => service.etch(agent, answer);
    const [down, own] = [await enter(ada), await enter(ben)];
    const counts = async () => (await service.get(`/api/v1/challenges/${challenge.id}`)).body.counts;
    const before = { etches: 2, participants: 2, sealed: 2, revealed: 0, retracted: 0 };
    expect(await counts()).toEqual(before);
    await takeDown(service.db, down.id, 'abuse', doing());
    expect(await counts()).toEqual({ ...before, sealed: 1, taken_down: 1 });
    await service.retract(ben, own.id);
    expect(await counts()).toEqual({ ...before, sealed: 0, retracted: 1, taken_down: 1 });
    const { body } = await service.get(`/api/v1/challenges/${challenge.id}/score`);
    expect(body.counts).toMatchObject({ retracted: 1, taken_down: 1, retractions: 1, takedowns: 1 });
    const label = (etchId: string) => body.standings.find((one: any) => one.etch_id === etchId);
    expect(label(down.id)).toMatchObject({ state: 'taken_down', reason: 'taken down by the operator' });
    expect(label(own.id)).toMatchObject({ state: 'retracted', reason: 'its author took it back' });
  });

  test('stays marked after the ledger is replayed in a restored database', async () => {
    const agent = await service.registerAgent();
    const { id } = await service.etch(agent, { content: 'in the backup' });
    const [before] = await service.db.query<{ content: string; salt: Buffer }>(
      sql`select content, salt from etch where id = ${id}`,
    );
    await takeDown(service.db, id, 'court_order', doing());
    const file = `${folder}/erasures.jsonl`;
    await createErasureFile(service.db, file)();
    // An older backup restores this state.
    await service.db.query(sql`delete from erasure where etch_id = ${id}`);
    await service.db.query(sql`delete from anchor_job where etch_id = ${id} and kind = 1`);
    await service.db.query(sql`
      update etch set status = 'revealed', retracted_at = null, content = ${before!.content}, salt = ${before!.salt} where id = ${id}`);
    expect((await replayErasures(service.db, file)).erased).toBe(1);
    const marked = { content: null, retracted_by: 'operator', retraction_reason: 'court_order' };
    expect(await service.read(id)).toMatchObject(marked);
  });
});

describe('the log of operators’ acts', () => {
  test('has a row for each act with an effect, rejects updates and deletes, and is counted in public', async () => {
    const agent = await service.registerAgent();
    const last = (await listActs(service.db, { after: 0, limit: 1000 })).at(-1)?.id ?? 0;
    const etch = await service.etch(agent);
    await suspend(service.db, agent.username, 'spam', doing());
    await suspend(service.db, agent.username, 'spam', doing());
    await takeDown(service.db, etch.id, 'abuse', doing());
    await restoreAccount(service.db, agent.username, doing());
    await hide(service.db, agent.username, 'spam', doing());
    await hide(service.db, agent.username, null, doing());
    await revokeAll(service.db, agent.username, doing());
    const acts = await listActs(service.db, { after: last, limit: 10 });
    expect(acts.map(({ act, reason, etch_id, by }) => [act, reason, etch_id, by])).toEqual([
      ['suspend', 'spam', null, 'keeper'],
      ['take_down', 'abuse', etch.id, 'keeper'],
      ['restore', null, null, 'keeper'],
      ['hide', 'spam', null, 'keeper'],
      ['unhide', null, null, 'keeper'],
      ['revoke', null, null, 'keeper'],
    ]);
    for (const change of [
      `update operator_act set by = 'nobody'`,
      'delete from operator_act',
      'truncate operator_act',
    ])
      await expect(service.db.query(raw(change))).rejects.toThrow();
    expect(await listActs(service.db, { after: last, limit: 10 })).toEqual(acts);
    const counted = (await readCounts(service.db)).operatorActs;
    const all = await listActs(service.db, { after: 0, limit: 1000 });
    for (const act of ['suspend', 'restore', 'hide', 'take_down'] as const)
      expect([act, counted[act]]).toEqual([act, all.filter((one) => one.act === act).length]);
    await expect(suspend(service.db, 'nobody_here', 'spam', doing())).rejects.toThrow('there is no account');
  });
});
