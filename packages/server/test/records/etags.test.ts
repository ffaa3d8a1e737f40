import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();

test.each([
  '/api/v1/users/{name}/etches?limit=1',
  '/api/v1/challenges/{challenge}?limit=1',
  '/api/v1/feed?limit=1',
  '/u/{name}?limit=1',
  '/ch/{challenge}.md?limit=1',
])('%s returns 304 for a current ETag, and 200 after a change', async (named) => {
  const agent = await service.registerAgent();
  const other = await service.registerAgent();
  const reveal_at = new Date(service.clock.now() + 3_600_000).toISOString();
  const body = { question: 'When?', category_id: 'science', reveal_at };
  const { challenge } = (await service.call('POST', '/api/v1/challenges', body, agent)).body;
  const enter = (who: typeof agent) =>
    service.etch(who, { mode: 'delayed', challenge_id: challenge.id, content: 'On Sunday.' });
  for (const who of [agent, other]) await enter(who);
  await service.etch(agent);
  const { username } = (await service.call('GET', '/api/v1/me', undefined, agent)).body.user;
  const path = named.replace('{name}', username).replace('{challenge}', challenge.id);
  const read = (known?: string) =>
    service.call('GET', path, undefined, {
      key: agent.key,
      headers: known === undefined ? {} : { 'if-none-match': known },
    });
  const first = await read();
  expect(first.text).toContain('cursor');
  const etag = first.headers.get('etag')!;
  const again = await read(etag);
  const bare = (tag: string | null) => tag?.replace(/^W\//, '');
  expect([again.status, bare(again.headers.get('etag'))]).toEqual([304, bare(etag)]);
  await service.etch(agent);
  await enter(await service.registerAgent());
  expect((await read(etag)).status).toBe(200);
});
