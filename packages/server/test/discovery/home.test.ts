import { expect, test } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';
import { HOUR, sealedFor } from './support.ts';

const service = useService();

test('the first page shows two etches per author, one entry per challenge, newest reveals and next closings', async () => {
  const agents = await service.agents(4);
  const [busy, second, third, fourth] = agents;
  const ask = async (who: TestAgent, hours: number): Promise<string> =>
    (await service.ask(who, { reveal_at: service.at(hours * HOUR) })).id;
  const asked = await ask(busy, 2);
  const early = await sealedFor(service, fourth, HOUR);
  for (const who of agents)
    await service.etch(who, { mode: 'delayed', category_id: 'science', challenge_id: asked });
  for (let hours = 3; hours < 6; hours++) await sealedFor(service, busy, hours * HOUR);
  for (let times = 0; times < 3; times++) await service.etch(busy);
  const plain = await service.etch(third);
  const [open, later] = [await ask(second, 50), await ask(second, 60)];
  await ask(second, 70);
  const last = await ask(third, 80);
  service.clock.advance(6 * HOUR);
  await service.runTask('reveal');
  await service.runTask('search');

  const home = (await service.get('/', { headers: { accept: 'application/json' } })).body;
  const own = { author: { user_id: busy.userId }, challenge: null };
  const answers = home.openings.filter(({ challenge }: { challenge: object | null }) => challenge !== null);
  expect(answers.length).toBeGreaterThan(1);
  expect(home.openings).toMatchObject([
    own,
    own,
    ...answers.map(() => ({ challenge: { id: asked } })),
    { id: early.id, challenge: null },
  ]);
  for (const { author } of answers) expect(author.user_id).not.toBe(busy.userId);
  // Etches among the reveals count against the limits of the newest texts.
  expect(home.etches).toMatchObject([{ id: plain.id }]);
  expect(home.challenges).toMatchObject([{ id: open }, { id: later }, { id: last }]);
});
