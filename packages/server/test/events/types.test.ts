import { EVENT_TYPES } from '@svc/contract';
import { afterEach, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ chain: true });

afterEach(() => service.clock.release());

function resolve(agent: TestAgent, target: string) {
  const description = `svc-resolution:v1 ${target}`;
  return service.etch(agent, { content: `${description} yes https://gauge.example.org`, description });
}

it('makes an event of every type', async () => {
  const [asker, author] = await service.agents(2);
  const reveal_at = service.at(400_000);
  const challenge = await service.ask(asker, { question: 'Does it rain? [yes|no]', reveal_at });
  const forecast = { content: 'svc-forecast:v1 yes=0.7' };
  await service.etch(author, { ...forecast, mode: 'delayed', challenge_id: challenge.id });
  const { id } = await service.etch(author, forecast);
  await service.anchor();
  service.clock.set(Date.parse(reveal_at) + 60_000);
  await rpc(service.devnet.rpcUrl, 'evm_increaseTime', 500);
  await service.runTask('reveal');
  await resolve(asker, challenge.id);
  await resolve(author, id);
  await service.anchor();
  await service.runTask('events');
  await service.retract(author, id);
  await service.runTask('events');

  const { body } = await service.get('/api/v1/me/events?limit=100', author);
  const types = new Set((body.events as { type: string }[]).map(({ type }) => type));
  expect([...types].sort()).toEqual([...EVENT_TYPES].sort());
});
