import { TAKEN_DOWN } from '@svc/protocol';
import { checkPromise } from '@svc/verifier';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { tablesWith as tablesIn } from '../../../../testing/database/tables-with.ts';
import type { Json } from '../../../../testing/json.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { useService } from '../../../../testing/service/service.ts';
import { createErasureFile, replayErasures } from '../../src/acts/erasure-store.ts';
import { listActs, takeDown, takeDownDescription } from '../../src/acts/moderation-store.ts';
import { fold } from '../../src/search-index/fold.ts';
import { PUBLIC_STATE } from '../../src/search-index/names-store.ts';
import { readCounts } from '../../src/vitals/store.ts';

const service = useService({ chain: true });
const folder = newFolder('description-takedown');
let NAME = '';
let count = 0;
beforeEach(() => void (NAME = `canary${++count} ada lovelace`));
const doing = () => ({ by: 'keeper', now: service.clock.now() });
const blank = (target: 'etch' | 'challenge', id: string) =>
  takeDownDescription(service.db, { target, target_id: id }, 'personal_data', doing());

let author: TestAgent;
beforeAll(async () => void (author = await service.registerAgent()));

/** Finds the name plain or folded for the search. */
const tablesWith = (name: string) => tablesIn(service.db, name, fold(name));

async function readAll({ id }: Json, challenge?: string): Promise<string> {
  const name = author.username;
  const paths = `/ /search?q=lovelace /api/v1/search?q=lovelace /api/v1/search?limit=100 /api/v1/etches/${id}
    /api/v1/etches/${id}/receipt /api/v1/verify/${id} /e/${id} /e/${id}.md /e/${id}/verify /e/${id}/receipt.html
    /u/${name} /u/${name}/record.md /u/${name}/feed.atom /api/v1/users/${name}/etches /api/v1/users/${name}/record`;
  const ofChallenge = `/challenges /ch/${challenge} /ch/${challenge}/feed.atom /api/v1/challenges/${challenge}
    /api/v1/challenges/${challenge}/score /api/v1/challenges?status=all /api/v1/search/challenges
    /api/v1/search/challenges?q=lovelace`;
  const all = [paths, ...(challenge === undefined ? [] : [ofChallenge])].join(' ').split(/\s+/);
  const own = ['/api/v1/feed', '/api/v1/me/events'].map((path) => service.get(path, author.key));
  const accept = { headers: { accept: 'text/html, */*' } };
  const answers = await Promise.all([...all.map((path) => service.get(path, accept)), ...own]);
  return answers.map(({ text }) => text).join('\n');
}

describe('a description that the operator takes down', () => {
  test('is gone from every table and answer, while text, hash and receipt stay', async () => {
    const etch = await service.etch(author, { content: 'words that stay', description: `About ${NAME}` });
    await service.anchor();
    await service.runTask('search');
    await service.runTask('events');
    expect(await tablesWith(NAME)).toEqual(expect.arrayContaining(['etch', 'etch_search']));
    expect(await readAll(etch)).toContain(NAME);
    const card = (page: string): string => /card-[0-9a-f]{16}\.png/.exec(page)![0];
    const before = card((await service.get(`/e/${etch.id}`, { headers: { accept: 'text/html' } })).text);

    await blank('etch', etch.id);
    expect(await tablesWith(NAME)).toEqual([]);
    expect(await readAll(etch)).not.toContain(NAME);
    const now = await service.read(etch.id);
    const stays = { content: 'words that stay', hash: etch.hash, status: 'revealed' };
    expect(now).toMatchObject({ description: TAKEN_DOWN, ...stays });
    const { checks } = (await service.get(`/api/v1/verify/${etch.id}`)).body;
    expect(checks.map(({ verdict }: Json) => verdict)).toEqual(['pass', 'pass', 'pass']);
    const found = await service.get('/api/v1/search?q=taken%20down%20by');
    expect(found.body.etches.map(({ id }: Json) => id)).toEqual([etch.id]);
    const old = await fetch(`${service.baseUrl}/e/${etch.id}/${before}`, { redirect: 'manual' });
    expect(old.status).toBe(302);
    await expect(blank('etch', etch.id)).rejects.toThrow('already taken down');
  });

  test('is removed also after a retraction or a takedown of the text', async () => {
    const [retracted, taken] = [
      await service.etch(author, { description: `One of ${NAME}` }),
      await service.etch(author, { description: `Two of ${NAME}` }),
    ];
    await service.retract(author, retracted.id);
    await takeDown(service.db, taken.id, 'personal_data', doing());
    expect(await tablesWith(NAME)).not.toEqual([]);
    await blank('etch', retracted.id);
    await blank('etch', taken.id);
    expect(await tablesWith(NAME)).toEqual([]);
  });

  test('keeps the promise valid, and a replay returns no promise', async () => {
    const body = { content: 'promised', description: `Promised ${NAME}`, category_id: 'ai', mode: 'instant' };
    const create = () =>
      service.post('/api/v1/etches', body, { key: author.key, headers: { 'idempotency-key': NAME } });
    const { etch, promise } = (await create()).body;
    await service.anchor();
    await blank('etch', etch.id);
    const again = await create();
    expect([again.status, again.body.promise, again.body.etch.description]).toEqual([201, null, TAKEN_DOWN]);

    const receipt = (await service.get(`/api/v1/etches/${etch.id}/receipt`)).body;
    const verification = (await service.get(`/api/v1/verify/${etch.id}`)).body;
    const shown = again.body.etch;
    const terms = { topic: shown.category.id, mode: shown.mode, revealAt: null, challengeId: null };
    const publicFields = { description: shown.description, ...terms };
    const trust = { keys: [promise.public_key], pinned: true };
    const judge = (fields: typeof publicFields) => {
      const found = { state: 'found', receipt, verification, publicFields: fields, pinned: true } as const;
      return checkPromise({ promise }, trust, found, service.clock.now());
    };
    expect(judge(publicFields)).toMatchObject({ verdict: 'pass', badge: 'kept' });
    expect(judge(publicFields).evidence).toContainEqual(
      expect.objectContaining({ value: expect.stringMatching(/^taken down by the operator/) }),
    );
    expect(judge({ ...publicFields, description: 'Other words' }).badge).toBe('edited');
    expect(judge({ ...publicFields, topic: 'science' }).badge).toBe('edited');
  });

  test('keeps the mark of a resolution', async () => {
    const mark = `svc-resolution:v1 ${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;
    const { id } = await service.etch(author, { description: `${mark} ${NAME}` });
    await blank('etch', id);
    expect(await service.read(id)).toMatchObject({ description: `${mark} ${TAKEN_DOWN}` });
  });
});

describe('a question that the operator takes down', () => {
  const ask = async (question: string): Promise<string> => (await service.ask(author, { question })).id;
  const enter = async (agent: TestAgent, id: string) =>
    service.etch(agent, { content: 'svc-forecast:v1 yes=0.4 no=0.6', mode: 'delayed', challenge_id: id });

  test('is gone from every table and answer, and from the descriptions of its etches', async () => {
    const [one, two] = await service.agents(2);
    const id = await ask(`Will ${NAME} win? [yes|no]`);
    const etch = await enter(author, id);
    await enter(one, id);
    await service.runTask('search');
    expect(await tablesWith(NAME)).toEqual(
      expect.arrayContaining(['challenge', 'challenge_search', 'etch', 'etch_search']),
    );
    expect(await readAll(etch, id)).toContain(NAME);

    await blank('challenge', id);
    const late = await enter(two, id);
    await service.runTask('search');
    expect(await tablesWith(NAME)).toEqual([]);
    expect(await readAll(etch, id)).not.toContain(NAME);
    const { challenge, etches } = (await service.get(`/api/v1/challenges/${id}`)).body;
    expect(challenge.question).toBe(`${TAKEN_DOWN} [yes|no]`);
    expect(etches).toHaveLength(3);
    for (const { description } of [...etches, late])
      expect(description).toBe(`Sealed answer to: ${TAKEN_DOWN} [yes|no]`);
    await expect(blank('challenge', id)).rejects.toThrow('already taken down');
  });

  test('loses its named outcomes', async () => {
    const id = await ask(`Who? [${NAME}|nobody]`);
    await blank('challenge', id);
    expect(await tablesWith(NAME)).toEqual([]);
    expect((await service.get(`/api/v1/challenges/${id}`)).body.challenge.question).toBe(TAKEN_DOWN);
  });

  test('waits for creations that have read the question', async () => {
    const agents = await service.agents(6);
    const id = await ask(`Where is ${NAME}?`);
    await Promise.all([...agents.map((agent) => enter(agent, id)), blank('challenge', id)]);
    await service.runTask('search');
    expect(await tablesWith(NAME)).toEqual([]);
  });
});

test('logs and counts each takedown in public, and repeats it in a restored database', async () => {
  const last = (await listActs(service.db, { after: 0, limit: 1000 })).at(-1)?.id ?? 0;
  const etch = await service.etch(author, { description: `Backed up ${NAME}` });
  const { id: challengeId } = await service.ask(author, { question: `Backed up ${NAME}?` });
  await service.runTask('search');
  await blank('etch', etch.id);
  await blank('challenge', challengeId);
  const acts = await listActs(service.db, { after: last, limit: 10 });
  const act = { act: 'take_down_description', reason: 'personal_data', by: 'keeper' };
  expect(acts).toMatchObject([
    { ...act, etch_id: etch.id, challenge_id: null },
    { ...act, etch_id: null, challenge_id: challengeId },
  ]);
  const all = await listActs(service.db, { after: 0, limit: 1000 });
  expect((await readCounts(service.db)).operatorActs['take_down_description']).toBe(
    all.filter(({ act }) => act === 'take_down_description').length,
  );

  const file = `${folder}/erasures.jsonl`;
  await createErasureFile(service.db, file)();
  // An older backup restores this state.
  await service.db.query(sql`delete from description_takedown`);
  await service.db.query(sql`update etch set description = ${NAME} where id = ${etch.id}`);
  await service.db.query(sql`update challenge set question = ${NAME} where id = ${challengeId}`);
  const stateOf = () => service.db.value(sql`select ${PUBLIC_STATE}`);
  const state = await stateOf();
  expect(await replayErasures(service.db, file)).toMatchObject({ takenDown: 2, refused: 0 });
  // A standby with the old state must not answer.
  expect(await stateOf()).not.toBe(state);
  expect(await tablesWith(NAME)).toEqual([]);
  // The next backup's ledger lists them again.
  const listed = sql`
    select target from description_takedown where target_id in (${etch.id}, ${challengeId}) order by target`;
  expect(await service.db.column(listed)).toEqual(['challenge', 'etch']);
  expect(await replayErasures(service.db, file)).toMatchObject({ takenDown: 0, refused: 0 });
});
