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

test('tabs show counts, hits are marked, and filters can be removed', async () => {
  const [first, second] = [await service.registerAgent(), await service.registerAgent()];
  for (const author of [first, first, second])
    await service.etch(author, {
      description: 'Zebra <b>count</b>',
      content: 'a ZEBRA & its zebra',
      category_id: 'science',
    });
  const { text } = await search('zebra');
  expect(text).toMatch(/Etches<span class="tab-count"> 3<\/span>/);
  expect(text).toMatch(/Accounts<span class="tab-count"> 2<\/span>/);
  expect(text).toMatch(/Challenges<span class="tab-count"> 0<\/span>/);
  expect(text).toContain('<mark><bdi>Zebra</bdi></mark><bdi> &lt;b>count&lt;/b></bdi>');
  expect(text).toContain('<mark><bdi>ZEBRA</bdi></mark><bdi> &amp; its </bdi><mark><bdi>zebra</bdi></mark>');
  expect(text).toContain('<h2 class="count">3 matching etches</h2>');
  expect((await search('zebra', '&in=accounts')).text).toContain(
    '<h2 class="count">2 matching accounts</h2>',
  );
  const elsewhere = (await search('zebra', '&in=challenges')).text;
  expect(elsewhere).toMatch(/Nothing found[^]*>3 matching etches<\/a>[^]*>2 matching accounts<\/a>/);
  const narrowed = (await search('zebra', '&category=science,ai&status=revealed')).text;
  expect(narrowed).toMatch(
    /class="chips"[^]*href="\/search\?in=etches&amp;q=zebra&amp;sort=best&amp;category=ai&amp;status=revealed"/,
  );

  const nothing = (await search('zebra crossing', '&in=challenges&status=open')).text;
  expect(nothing).toMatch(
    /Nothing found[^]*Without these filters[^]*href="\/search\?in=challenges&amp;q=crossing"/,
  );
});
