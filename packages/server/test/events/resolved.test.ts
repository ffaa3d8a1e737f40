import sql from 'sql-template-tag';
import { afterEach, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { useService } from '../../../../testing/service/service.ts';
import { textOf } from '../../../../testing/views.ts';
import { takeDown } from '../../src/acts/moderation-store.ts';
import { queueAnchored } from '../../src/events/event-store.ts';

const service = useService({ chain: true });
const SOURCE = 'https://gauge.example.org';

afterEach(() => service.clock.release());

async function eventsOf(agent: TestAgent) {
  const { body } = await service.get('/api/v1/me/events?limit=100', agent);
  return (body.events as any[]).filter(({ type }) => type.endsWith('.resolved'));
}
async function expectResolved(agent: TestAgent, ...resolutions: { id: string }[]): Promise<void> {
  const received = (await eventsOf(agent)).map(({ data }) => data.resolution.id);
  expect(received).toEqual(resolutions.map(({ id }) => id));
}

function writeResolution(agent: TestAgent, target: string, outcome: string) {
  const description = `svc-resolution:v1 ${target}`;
  return service.etch(agent, { content: `${description} ${outcome} ${SOURCE}`, description });
}

async function resolve(agent: TestAgent, target: string, outcome: string) {
  const etch = await writeResolution(agent, target, outcome);
  await service.anchor();
  await service.runTask('events');
  service.clock.advance(2_000);
  return etch;
}

async function closedChallenge(asker: TestAgent, forecasters: readonly TestAgent[]): Promise<string> {
  const reveal_at = service.at(400_000);
  const challenge = await service.ask(asker, { question: 'Does it rain? [yes|no]', reveal_at });
  const answer = { content: 'svc-forecast:v1 yes=0.7', mode: 'delayed', challenge_id: challenge.id };
  for (const agent of forecasters) await service.etch(agent, answer);
  await service.anchor();
  service.clock.set(Date.parse(reveal_at) + 60_000);
  await rpc(service.devnet.rpcUrl, 'evm_increaseTime', 500);
  await service.runTask('reveal');
  return challenge.id;
}

async function takeDownEtch(id: string): Promise<void> {
  await takeDown(service.db, id, 'personal_data', { by: 'keeper', now: service.clock.now() });
  await service.runTask('events');
}

it('notifies each forecaster of the first valid resolution of a challenge, once', async () => {
  const [asker, bea, cai] = await service.agents(3);
  const challenge = await closedChallenge(asker, [bea, cai]);
  await resolve(bea, challenge, 'no');
  await resolve(asker, challenge, 'perhaps');
  await expectResolved(bea);

  const first = await resolve(asker, challenge, 'yes');
  await resolve(asker, challenge, 'no');
  for (const agent of [bea, cai]) {
    const events = await eventsOf(agent);
    const data = { challenge: { id: challenge }, resolution: { id: first.id } };
    expect(events).toMatchObject([{ type: 'challenge.resolved', data }]);
    expect(events[0].timestamp).toBe(events[0].data.resolution.chain.anchored_at);
  }
  await expectResolved(asker);
  await service.retract(asker, first.id);
  expect((await eventsOf(bea))[0].data.resolution).toMatchObject({ status: 'retracted', content: null });
});

it('notifies the author of a forecast outside challenges', async () => {
  const [ada, bea] = await service.agents(2);
  const forecast = await service.etch(ada, { content: 'svc-forecast:v1 q10=1 q50=2 q90=4' });
  await service.anchor();
  await resolve(bea, forecast.id, '3');
  for (const agent of [ada, bea]) await expectResolved(agent);
  const resolution = await resolve(ada, forecast.id, '3');
  const data = { etch: { id: forecast.id }, resolution: { id: resolution.id } };
  expect(await eventsOf(ada)).toMatchObject([{ type: 'etch.resolved', data }]);
  await expectResolved(bea);
});

it('reports a forecast that was resolved before it opened, once it opens', async () => {
  const ada = await service.registerAgent();
  const reveal_at = service.at(400_000);
  const forecast = await service.seal(ada, { content: 'svc-forecast:v1 yes=0.7', reveal_at });
  await service.anchor();
  service.clock.advance(2_000);
  const resolution = await resolve(ada, forecast.id, 'yes');
  await resolve(ada, forecast.id, 'no');
  await expectResolved(ada);
  service.clock.set(Date.parse(reveal_at) + 1_000);
  await service.runTask('reveal');
  await service.runTask('events');
  expect(await eventsOf(ada)).toMatchObject([{ type: 'etch.resolved' }]);
  await expectResolved(ada, resolution);
});

it('reports the next resolution after a takedown, whether it is attested already or later', async () => {
  const [asker, bea] = await service.agents(2);
  const challenge = await closedChallenge(asker, [bea]);
  const first = await resolve(asker, challenge, 'yes');
  const second = await resolve(asker, challenge, 'no');
  await expectResolved(bea, first);
  await takeDownEtch(first.id);
  await expectResolved(bea, first, second);
  await takeDownEtch(second.id);
  const third = await resolve(asker, challenge, 'void');
  await resolve(asker, challenge, 'yes');
  await expectResolved(bea, first, second, third);
});

it('makes no second event when the chain returns an earlier resolution', async () => {
  const [asker, bea] = await service.agents(2);
  const challenge = await closedChallenge(asker, [bea]);
  const earlier = await writeResolution(asker, challenge, 'yes');
  await service.anchor();
  const [batch] = await service.db.query<{ id: number; anchored_at: string }>(sql`
    select id, anchored_at from batch where id = (select batch_id from batch_leaf where kind = 0 and etch_id = ${earlier.id})`);
  service.clock.advance(2_000);
  const resolution = await writeResolution(asker, challenge, 'no');
  await service.anchor();
  await service.db.query(sql`update batch set anchored_at = null where id = ${batch!.id}`);
  await service.runTask('events');
  await service.db.query(sql`update batch set anchored_at = ${batch!.anchored_at} where id = ${batch!.id}`);
  await service.db.tx((tx) => queueAnchored(tx, [batch!.id]));
  await service.runTask('events');
  await expectResolved(bea, resolution);
  const { body } = await service.get(`/api/v1/challenges/${challenge}/score`);
  expect(body.resolution.first.etch_id).toBe(earlier.id);
});

const decidedBy = (target: string) =>
  service.db.value<string | undefined>(sql`select etch_id from resolution where target_id = ${target}`);
async function expectOnPage(challenge: string, words: RegExp): Promise<void> {
  const { text } = await service.get(`/ch/${challenge}`, { headers: { accept: 'text/html' } });
  expect(textOf(text)).toMatch(words);
}

it('stores which etch decides a question, and pages check that it still does', async () => {
  const [asker, bea] = await service.agents(2);
  const challenge = await closedChallenge(asker, [bea]);
  await resolve(asker, challenge, 'perhaps');
  expect(await decidedBy(challenge)).toBeUndefined();
  const first = await resolve(asker, challenge, 'yes');
  const second = await resolve(asker, challenge, 'no');
  expect(await decidedBy(challenge)).toBe(first.id);
  await expectOnPage(challenge, /Yes\.\s*Source:/);

  await takeDown(service.db, first.id, 'personal_data', { by: 'keeper', now: service.clock.now() });
  await expectOnPage(challenge, /No\.\s*Source:/);
  await service.runTask('events');
  expect(await decidedBy(challenge)).toBe(second.id);

  await service.retract(asker, second.id);
  await expectOnPage(challenge, /retracted/);
  await service.runTask('events');
  expect(await decidedBy(challenge)).toBe(second.id);
  await expectOnPage(challenge, /retracted/);
});

it('stores what older resolutions decide, without a new event', async () => {
  const [asker, bea] = await service.agents(2);
  const challenge = await closedChallenge(asker, [bea]);
  const first = await resolve(asker, challenge, 'yes');
  await service.db.query(sql`delete from resolution`);
  await service.db.query(sql`delete from event`);
  await service.runTask('forget events');
  await service.runTask('events');
  expect(await decidedBy(challenge)).toBe(first.id);
  await expectResolved(bea);
});
