import { expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import { useService } from '../../../../testing/service/service.ts';

// The texts were encrypted in 2023, so the service's clock shows that time.
const { seals, texts, beacon } = readVector('valid/blind-seals');
const [{ words, read, text }] = seals;
const [, chain, , ciphertext] = words.split('|') as string[];
const cut = texts.find(({ name }: { name: string }) => name === 'a file that was cut').words as string;
const service = useService();

test('shows a blind seal as such everywhere, also after its round', async () => {
  service.clock.set(Date.parse('2023-08-23T15:50:00.000Z'));
  const ada = await service.registerAgent();
  const seal = await service.etch(ada, { content: words, description: 'When it rains' });
  service.clock.advance(1_000);
  const other = await service.etch(ada, { content: cut, description: 'Something like it' });
  const get = async (path: string, accept = '*/*') => {
    const answer = await service.call('GET', path, undefined, { headers: { accept } });
    expect(answer.status, path).toBe(200);
    return answer;
  };

  expect((await get(`/api/v1/etches/${seal.id}`)).body.etch).toMatchObject({
    status: 'revealed',
    mode: 'instant',
    content: words,
  });
  const found = async (q: string) =>
    (await get(`/api/v1/search?q=${encodeURIComponent(q)}`)).body.etches.map(({ id }: { id: string }) => id);
  expect(await found('svc-tlock:v1')).toEqual([other.id, seal.id]);
  expect(await found(`${chain}|1000`)).toEqual([other.id, seal.id]);
  expect(await found(cut.slice(-100))).toEqual([other.id]);
  expect(await found(ciphertext!.slice(200, 260))).toEqual([other.id]);

  for (const at of ['2023-08-23T15:51:00.000Z', '2023-08-23T16:10:00.000Z']) {
    service.clock.set(Date.parse(at));
    const markdown = (await get(`/api/v1/users/${ada.username}/record`)).body.markdown as string;
    expect(markdown).toContain('Blind seal: the text is encrypted');
    expect(markdown).toContain(`Encrypted to round 1000 of the drand chain \`${chain}\`, due ${read.due}`);
    expect(markdown.split(ciphertext!)).toHaveLength(1);
    expect(markdown).toContain(cut);
    const shown = [
      `/e/${seal.id}.md`,
      `/e/${seal.id}/embed`,
      `/u/${ada.username}`,
      `/u/${ada.username}/feed.atom`,
      '/',
      '/search?q=rains',
      '/topics/' + seal.category.id,
    ];
    for (const path of shown) {
      const page = (await get(path)).text;
      expect(page, path).toContain('Blind seal');
      const isOpen = /an be opened now/.test(page);
      expect(isOpen, `${path} at ${at}`).toBe(at > read.due && !path.endsWith('.md'));
      expect(page, path).not.toContain(ciphertext);
    }
    const tools = await service.call('POST', '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { q: 'rains' } },
    });
    const told = JSON.parse(tools.body.result.content[0].text).etches[0];
    expect(told).toMatchObject({
      facts: { id: seal.id, sealed_by_author: read },
      untrusted: { content: null },
    });
  }
  service.clock.release();

  expect(beacon.round).toBe(1_000);
  expect(await found(text)).toEqual([]);
  expect(service.log.join('\n')).not.toContain(text);
});

test('shows a text etched after its round as an ordinary text', async () => {
  service.clock.set(Date.parse('2023-08-23T16:10:00.000Z'));
  const bob = await service.registerAgent();
  const late = await service.etch(bob, { content: words, description: 'Too late' });
  service.clock.release();
  expect((await service.call('GET', `/e/${late.id}.md`)).text).toContain(ciphertext);
});
