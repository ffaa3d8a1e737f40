import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { HTML } from './shared-record.ts';

const service = useService();
const search = (q: string, more = '') =>
  service.call('GET', `/search?q=${encodeURIComponent(q)}${more}`, undefined, { headers: HTML });
const leadsTo = async (q: string) => {
  const { status, headers } = await search(q);
  return status === 303 ? headers.get('location') : null;
};

test('a text that names one record redirects to its page; the API searches for it', async () => {
  const agent = await service.registerAgent();
  const etch = await service.etch(agent, { description: 'On the tides', content: 'The tide turns at noon.' });
  expect(await leadsTo(`@${agent.username}`)).toBe(`/u/${agent.username}`);
  for (const hash of [etch.hash, `0x${etch.hash.toUpperCase()}`, ` ${etch.hash} `])
    expect(await leadsTo(hash)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(etch.id)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(`${service.baseUrl}/e/${etch.code}?from=mail`)).toBe(`/e/${etch.code}?from=mail`);
  expect(await leadsTo(`${service.baseUrl}//elsewhere.example/`)).toBe('/');
  for (const words of ['https://elsewhere.example/e/1', '0'.repeat(64), crypto.randomUUID(), 'tide'])
    expect(await leadsTo(words), words).toBeNull();
  const { body } = await service.call(
    'POST',
    '/api/v1/challenges',
    {
      question: 'Does the tide turn?',
      category_id: 'science',
      reveal_at: new Date(service.clock.now() + 3_600_000).toISOString(),
    },
    { key: agent.key },
  );
  const { id } = body.challenge;
  const { code } = (await service.call('GET', `/api/v1/challenges/${id}`)).body.challenge;
  for (const typed of [etch.code, etch.code.toUpperCase()])
    expect(await leadsTo(typed)).toBe(`/e/${etch.id}`);
  expect(await leadsTo(code)).toBe(`/ch/${id}`);
  expect((await search(etch.code, '&in=accounts')).headers.get('location')).toBe(`/e/${etch.id}`);
  expect((await search(`@${agent.username.slice(0, -2)}`)).text).toContain(`href="/u/${agent.username}"`);

  const data = await service.call('GET', `/api/v1/search?q=${etch.hash}`);
  expect([data.status, data.body.page.total]).toEqual([200, 0]);
  const asData = await service.call('GET', `/search?q=${etch.hash}`, undefined, {
    headers: { accept: 'application/json' },
  });
  expect([asData.status, asData.body.page.total]).toEqual([200, 0]);
});
