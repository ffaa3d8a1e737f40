import { expect, test } from 'vitest';
import { useService } from '../../../../../testing/service/service.ts';

const service = useService({ settings: { LIMIT_ANON_PER_MINUTE: '3' } });
const HTML = { accept: 'text/html' };

test('pages that compute scores count signed-out readers as the API does', async () => {
  const agent = await service.registerAgent();
  const { id } = await service.ask(agent, { question: 'Rain? [yes|no]', reveal_at: service.at(400_000) });
  const answer = { content: 'svc-forecast:v1 yes=0.7', mode: 'delayed', challenge_id: id };
  await service.etch(agent, answer);
  const record = `/u/${agent.username}`;
  const open = (path: string) => service.get(path, { headers: HTML });
  // An open question has no standings yet.
  for (let count = 0; count < 4; count++) expect((await open(`/ch/${id}`)).status).toBe(200);
  service.clock.advance(500_000);

  expect((await open(record)).status).toBe(200);
  expect((await open(`/ch/${id}`)).status).toBe(200);
  expect((await service.get(`/api/v1${record.replace('/u/', '/users/')}/score`)).status).toBe(200);
  for (const path of [record, `/ch/${id}`]) {
    const refused = await open(path);
    expect(refused.status, path).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toMatch(
      /Too many signed-out requests from this address: at most 3 in a minute, try again/,
    );
  }
  // Neither computes a score.
  expect((await open(`${record}.md`)).status).toBe(200);
  expect((await open(`/ch/${id}.md`)).status).toBe(200);
  service.clock.release();
});
