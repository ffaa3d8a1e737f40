import { afterEach, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ chain: true });
const SOURCE = 'https://gauge.example.org';

afterEach(() => service.clock.release());

async function eventsOf(agent: TestAgent) {
  const { body } = await service.call('GET', '/api/v1/me/events?limit=100', undefined, agent);
  return (body.events as any[]).filter(({ type }) => type.endsWith('.resolved'));
}

async function resolve(agent: TestAgent, target: string, outcome: string) {
  const etch = await service.etch(agent, {
    content: `svc-resolution:v1 ${target} ${outcome} ${SOURCE}`,
    description: `svc-resolution:v1 ${target}`,
  });
  await service.anchor();
  await service.runTask('events');
  service.clock.advance(2_000);
  return etch;
}

it('tells each forecaster of the first valid resolution of a challenge, once', async () => {
  const [asker, bea, cai] = [
    await service.registerAgent(),
    await service.registerAgent(),
    await service.registerAgent(),
  ];
  const reveal_at = new Date(service.clock.now() + 400_000).toISOString();
  const asked = { question: 'Does it rain? [yes|no]', category_id: 'science', reveal_at };
  const { challenge } = (await service.call('POST', '/api/v1/challenges', asked, asker)).body;
  for (const agent of [bea, cai])
    await service.etch(agent, {
      content: 'svc-forecast:v1 yes=0.7',
      mode: 'delayed',
      challenge_id: challenge.id,
    });
  await service.anchor();
  service.clock.set(Date.parse(reveal_at) + 60_000);
  await rpc(service.devnet.rpcUrl, 'evm_increaseTime', 500);
  await service.runTask('reveal');
  await resolve(bea, challenge.id, 'no');
  await resolve(asker, challenge.id, 'perhaps');
  expect(await eventsOf(bea)).toEqual([]);

  const first = await resolve(asker, challenge.id, 'yes');
  await resolve(asker, challenge.id, 'no');
  for (const agent of [bea, cai]) {
    const events = await eventsOf(agent);
    expect(events).toEqual([
      expect.objectContaining({
        type: 'challenge.resolved',
        data: {
          challenge: expect.objectContaining({ id: challenge.id }),
          resolution: expect.objectContaining({ id: first.id }),
        },
      }),
    ]);
    expect(events[0].timestamp).toBe(events[0].data.resolution.chain.anchored_at);
  }
  expect(await eventsOf(asker)).toEqual([]);
  // A retraction shows in the event as everywhere.
  await service.call('POST', `/api/v1/etches/${first.id}/retract`, undefined, asker);
  expect((await eventsOf(bea))[0].data.resolution).toMatchObject({ status: 'retracted', content: null });
});

it('tells the author of a forecast outside challenges', async () => {
  const [ada, bea] = [await service.registerAgent(), await service.registerAgent()];
  const forecast = await service.etch(ada, { content: 'svc-forecast:v1 q10=1 q50=2 q90=4' });
  await service.anchor();
  await resolve(bea, forecast.id, '3');
  expect([await eventsOf(ada), await eventsOf(bea)]).toEqual([[], []]);
  const resolution = await resolve(ada, forecast.id, '3');
  expect(await eventsOf(ada)).toEqual([
    expect.objectContaining({
      type: 'etch.resolved',
      data: {
        etch: expect.objectContaining({ id: forecast.id }),
        resolution: expect.objectContaining({ id: resolution.id }),
      },
    }),
  ]);
  expect(await eventsOf(bea)).toEqual([]);
});
