import { expect, it } from 'vitest';
import { signedIn } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ settings: { LIMIT_ANON_PER_MINUTE: '5' } });
const get = (path: string, accept: string) => service.get(path, { headers: { accept } });

it('the allowance of an address is shared by lists and searches of the API and pages, and not by callers with a key', async () => {
  const author = await service.registerAgent();
  const etch = await service.etch(author);
  for (const path of ['/', '/search', '/api/v1/search', '/challenges', '/topics/ai'])
    expect((await get(path, 'text/html')).status, path).toBe(200);
  const refused = await get('/search?q=tide', 'text/html');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('text/html');
  expect(refused.text).toContain('Too many requests from your address');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('x-ratelimit-limit')).toBe('5');
  const name = author.username;
  for (const path of ['/challenges', '/api/v1/challenges', '/api/v1/search/challenges']) {
    expect((await get(path, 'application/json')).body.error.code).toBe('rate_limited');
    if (path !== '/challenges') expect((await service.get(path, author.key)).status).toBe(200);
  }
  for (const path of `/u/${name} /embed/u/${name} /embed/u/${name}.svg /docs/README?q=tide /log/proof/${etch.id}`.split(
    ' ',
  ))
    expect((await get(path, 'text/html')).status, path).toBe(429);
  const reader = await signedIn(service, 'ada');
  for (let time = 0; time < 6; time++) expect((await reader.open(`/u/${name}`)).status).toBe(200);
  const free = `/api/v1/etches/${etch.id}/receipt /e/${etch.id} /u/${name}.md /verify /docs/README`;
  for (const path of free.split(' ')) expect((await get(path, 'text/html')).status, path).toBe(200);
});
