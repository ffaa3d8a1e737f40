import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { counted, enter, openChallenge, remaining } from './support.ts';

const service = useService({ settings: { LIMIT_CHALLENGES_PER_DAY: '1000' } });
const NOWHERE = '94e1d7a3-0b6c-4c2f-87f5-1a3e5d9b0c68';

test('accepts exactly one of 300 parallel entries of one account', async () => {
  const author = await service.registerAgent();
  const { id } = await openChallenge(service, author);
  // A running clock would refill the bucket.
  service.clock.set(service.clock.now());
  const before = await remaining(service, author);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, index) => enter(service, author, id, { content: `answer ${index}` })),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 409)).toHaveLength(299);
  expect(await counted(service, id)).toEqual({ kept: 1, counted: 1, accounts: 1 });
  expect(before - (await remaining(service, author))).toBe(1);
  service.clock.release();
});

test('decides entries, second entries, unknown challenges and other etches of one batch separately', async () => {
  const agents = await Promise.all(Array.from({ length: 24 }, () => service.registerAgent()));
  const challenges = await Promise.all(agents.slice(0, 4).map((agent) => openChallenge(service, agent)));
  const answers = await Promise.all(
    agents.flatMap((agent, turn) => [
      ...[0, 1, 2, 3, 0, 1, 2, 3].map((index) =>
        enter(service, agent, challenges[(index + turn) % 4]!.id, { content: `${turn} ${index}` }),
      ),
      enter(service, agent, NOWHERE),
      service.call(
        'POST',
        '/api/v1/etches',
        { content: 'apart', description: 'apart', category_id: 'other', mode: 'instant' },
        { key: agent.key },
      ),
    ]),
  );
  const statuses = answers.map((answer) => answer.status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(24 * 5);
  expect(statuses.filter((status) => status === 409)).toHaveLength(24 * 4);
  expect(statuses.filter((status) => status === 404)).toHaveLength(24);
  for (const { id } of challenges) {
    expect(await counted(service, id)).toEqual({ kept: 24, counted: 24, accounts: 24 });
  }
});
