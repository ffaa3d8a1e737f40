import { expect, test } from 'vitest';
import { rounds } from '../../../../testing/rounds.ts';
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
    const answer = await service.get(path, { headers: { accept } });
    expect(answer.status, path).toBe(200);
    return answer;
  };

  const open = { status: 'revealed', mode: 'instant', content: words };
  expect((await get(`/api/v1/etches/${seal.id}`)).body.etch).toMatchObject(open);
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
      `/topics/${seal.category.id}`,
    ];
    for (const path of shown) {
      const page = (await get(path)).text;
      expect(page, path).toContain('Blind seal');
      const isOpen = /an be opened now/.test(page);
      expect(isOpen, `${path} at ${at}`).toBe(at > read.due && !path.endsWith('.md'));
      expect(page, path).not.toContain(ciphertext);
    }
    const params = { name: 'search', arguments: { q: 'rains' } };
    const tools = await service.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const listed = JSON.parse(tools.body.result.content[0].text).etches[0];
    const facts = { id: seal.id, sealed_by_author: read };
    expect(listed).toMatchObject({ facts, untrusted: { content: null } });
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
  expect((await service.get(`/e/${late.id}.md`)).text).toContain(ciphertext);
});

const WRITES = rounds(12, 60);
async function whileWriting(writing: Promise<unknown>, path: string, check: (body: any) => void) {
  let done = false;
  const ended = writing.finally(() => (done = true));
  ended.catch(() => undefined);
  do {
    const { status, body } = await service.get(path);
    expect(status).toBe(200);
    check(body);
  } while (!done);
  await ended;
  check((await service.get(path)).body);
}

const statuses = (etches: { status: string }[], status: string) =>
  etches.filter((etch) => etch.status === status).length;

test("a record's counts match its list while etches are created and retracted", async () => {
  const author = await service.registerAgent();
  const write = async () => {
    for (let made = 0; made < WRITES; made++) {
      const { id } = await service.etch(author, { mode: 'instant', reveal_at: null });
      if (made % 3 === 0) await service.retract(author, id);
    }
  };
  await whileWriting(write(), `/api/v1/users/${author.username}/etches?limit=100`, ({ counts, etches }) => {
    expect(counts.total).toBe(etches.length);
    expect(counts.retracted).toBe(statuses(etches, 'retracted'));
    expect(counts.revealed).toBe(statuses(etches, 'revealed'));
  });
  await whileWriting(write(), `/api/v1/search?sort=newest&limit=100`, ({ page, etches }) => {
    expect(Math.min(100, page.total)).toBe(etches.length);
  });
});

test("a challenge's count matches its list while others enter and retract", async () => {
  const agents = await service.agents(rounds(12, 24));
  const challenge = await service.ask(agents[0]);
  const enter = async () => {
    for (const [index, agent] of agents.entries()) {
      const { id } = await service.etch(agent, { mode: 'delayed', challenge_id: challenge.id });
      if (index % 3 === 0) await service.retract(agent, id);
    }
  };
  await whileWriting(enter(), `/api/v1/challenges/${challenge.id}?limit=100`, ({ counts, etches }) => {
    expect(counts.etches).toBe(etches.length);
    expect(counts.retracted).toBe(statuses(etches, 'retracted'));
    expect(counts.sealed).toBe(statuses(etches, 'sealed'));
  });
});

test.each([
  '/api/v1/users/{name}/etches?limit=1',
  '/api/v1/challenges/{challenge}?limit=1',
  '/api/v1/feed?limit=1',
  '/u/{name}?limit=1',
  '/ch/{challenge}.md?limit=1',
])('%s returns 304 for a current ETag, and 200 after a change', async (named) => {
  const [agent, other] = await service.agents(2);
  const challenge = await service.ask(agent);
  const enter = (who: typeof agent) =>
    service.etch(who, { mode: 'delayed', challenge_id: challenge.id, content: 'On Sunday.' });
  for (const who of [agent, other]) await enter(who);
  await service.etch(agent);
  const path = named.replace('{name}', agent.username).replace('{challenge}', challenge.id);
  const read = (known?: string) =>
    service.get(path, { key: agent.key, headers: known ? { 'if-none-match': known } : {} });
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
