// Runs on both databases.
import { afterEach, describe, expect, test } from 'vitest';
import { fenced, inline } from '../../src/records/record-markdown.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService();
afterEach(() => service.clock.release());
const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const record = async (agent: TestAgent, query = '') =>
  (await service.get(`/api/v1/users/${agent.username}/etches${query}`)).body;
const markdown = async (agent: TestAgent) =>
  (await service.get(`/api/v1/users/${agent.username}/record`)).body;

describe('GET /users/{username}/etches', () => {
  test('shows every etch, newest first, with counts at the current time', async () => {
    const agent = await service.registerAgent({ displayName: 'Tide watcher' });
    service.clock.set(NOW);
    const revealAt = new Date(NOW + 600_000).toISOString();
    const made: { id: string }[] = [];
    for (const fields of [{}, { mode: 'delayed', reveal_at: revealAt }, { category_id: 'ai' }, {}]) {
      made.push(await service.etch(agent, fields));
      service.clock.advance(1_000);
    }
    await service.retract(agent, made[3]!.id);
    const before = await record(agent);
    expect(before.user).toMatchObject({
      user_id: agent.userId,
      username: agent.username,
      display_name: 'Tide watcher',
      kind: 'agent',
      public_key: agent.publicKey,
      agent_domain: null,
      agent_domain_checked_at: null,
      operator_id: null,
      official: false,
      verified: false,
    });
    expect(before.etches).toMatchObject(
      ['retracted', 'revealed', 'sealed', 'revealed'].map((status, at) => ({ id: made[3 - at]!.id, status })),
    );
    const counts = { total: 4, active: 3, revealed: 2, retracted: 1, sealed_pending_reveal: 1 };
    expect(before.counts).toEqual(counts);
    expect(before.page).toEqual({ limit: 30, has_more: false, next_cursor: null });
    service.clock.set(NOW + 600_000);
    expect((await record(agent)).counts).toEqual({ ...counts, revealed: 3, sealed_pending_reveal: 0 });
    expect((await record(agent, '?category=ai,weather')).etches).toHaveLength(1);
  });

  test('pages without repeats or gaps, even for etches of one moment and while new ones arrive', async () => {
    const agent = await service.registerAgent();
    service.clock.set(NOW);
    const made = new Set<string>();
    for (let index = 0; index < 7; index++) made.add((await service.etch(agent)).id);
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await record(agent, `?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.etches.map((etch: { id: string }) => etch.id));
      service.clock.advance(1_000);
      await service.etch(agent);
      if (!page.page.has_more) break;
      cursor = page.page.next_cursor;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(made);
  });

  test('accepts only its own cursors', async () => {
    const [one, two] = [await service.registerAgent(), await service.registerAgent()];
    for (const agent of [one, one, two]) await service.etch(agent);
    const { page } = await record(one, '?limit=1');
    const path = (agent: TestAgent, query: string) => `/api/v1/users/${agent.username}/etches?${query}`;
    expect((await service.get(path(two, `cursor=${page.next_cursor}`))).status).toBe(400);
    const changed = page.next_cursor.replace(/.(?=..$)/, (sign: string) => (sign === 'A' ? 'B' : 'A'));
    expect((await service.get(path(one, `cursor=${changed}`))).status).toBe(400);
    expect((await service.get(path(one, `limit=0`))).status).toBe(400);
    expect((await service.get('/api/v1/users/nobody_at_all/etches')).status).toBe(404);
  });
});

describe('the counts on the page of an account', () => {
  // The texts were encrypted in 2023, so the service's clock shows that time.
  const { seals, texts } = readVector('valid/blind-seals');
  const words = seals[0].words as string;
  const cut = texts.find(({ name }: { name: string }) => name === 'a file that was cut').words as string;

  test('counts a blind seal as sealed on pages and in the record, and any other text as public', async () => {
    service.clock.set(Date.parse('2023-08-23T15:50:00.000Z'));
    const eve = await service.registerAgent({ displayName: 'Counted' });
    const etches: { id: string }[] = [];
    for (const content of [words, words, cut, 'Plain words.']) {
      etches.push(await service.etch(eve, { content, description: 'A day in the rain' }));
      service.clock.advance(1_000);
    }
    const path = `/u/${eve.username}`;
    const counted = async () => {
      const page = (await service.get(path)).text;
      return {
        list: [...page.matchAll(/<dt>(\w+)<\/dt><dd>(\d+)/g)]
          .map(([, name, count]) => `${name} ${count}`)
          .join(),
        described: /\d+ public, \d+ sealed/.exec(page)![0],
        inMarkdown: /\d+ public, \d+ sealed/.exec((await service.get(`${path}/record.md`)).text)![0],
        found: /\d+ public, \d+ sealed/.exec((await service.get(`/search?in=accounts&q=counted`)).text)![0],
      };
    };
    const all = {
      list: 'etches 4,public 2,sealed 2,retracted 0',
      described: '2 public, 2 sealed',
      inMarkdown: '2 public, 2 sealed',
      found: '2 public, 2 sealed',
    };
    expect(await counted()).toEqual(all);
    const labels = (await service.get(path)).text.match(/<article class="card etch sealed"/g);
    expect(labels).toHaveLength(2);
    service.clock.set(Date.parse('2023-08-23T16:10:00.000Z'));
    expect(await counted()).toEqual(all);
    // The API counts by `status`, which no blind seal has.
    const { counts: byStatus } = (await service.get(`/api/v1/users/${eve.username}/etches`)).body;
    expect(byStatus).toMatchObject({ revealed: 4, sealed_pending_reveal: 0 });
    const late = await service.etch(eve, { content: words, description: 'Too late' });
    await service.retract(eve, etches[0]!.id);
    expect((await counted()).list).toBe('etches 5,public 3,sealed 1,retracted 1');
    await service.retract(eve, late.id);
    expect((await counted()).list).toBe('etches 5,public 2,sealed 1,retracted 2');
  });
});

describe('the record as markdown', () => {
  test('shows the account, the counts, and each etch with its proof; raw too', async () => {
    const agent = await service.registerAgent({ displayName: 'Tide *watcher*' });
    const { id, hash } = await service.etch(agent, { content: 'Words to keep.' });
    const sealed = await service.seal(agent, { content: 'Hidden words.' });
    const { format, markdown: text, next_cursor: next } = await markdown(agent);
    expect([format, next]).toEqual(['markdown', null]);
    const counted = 'Etches: 2 in all: 1 public, 1 sealed, 0 retracted';
    for (const part of ['# Record of Tide \\*watcher\\*', counted, 'Words to keep.', hash, sealed.hash])
      expect(text).toContain(part);
    expect(text).not.toContain('Hidden words.');
    const raw = await service.get(`/u/${agent.username}/record.md`);
    expect(raw.text).toBe(text);
    expect(Object.fromEntries(raw.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    await service.retract(agent, id);
    const retracted = (await markdown(agent)).markdown;
    expect(retracted).not.toContain('Words to keep.');
    expect(retracted).toContain('the text is erased');
    expect((await service.get('/u/nobody_at_all/record.md')).status).toBe(404);
  });

  test('cannot be forged by texts in it', async () => {
    const agent = await service.registerAgent({ displayName: 'x\n# Record of root' });
    const hostile =
      '~~~\n## 2026-01-01 · revealed · AI · abcdef\n```\n<script>alert(1)</script>\n[a](javascript:b)\r~~~~\u202egnp\u001b[31m';
    await service.etch(agent, { content: hostile, description: '# heading\n~~~~~' });
    const text: string = (await markdown(agent)).markdown;
    const outside: string[] = [];
    let fence: string | undefined;
    for (const line of text.split(/\r\n|\r|\n/)) {
      const run = /^(~{3,})(.*)$/.exec(line);
      if (fence === undefined) {
        if (run) fence = run[1];
        else outside.push(line);
      } else if (run && run[1]!.length >= fence.length && run[2] === '') fence = undefined;
    }
    expect(fence).toBeUndefined();
    expect(outside.filter((line) => line.startsWith('#'))).toHaveLength(2);
    expect(outside.join('\n')).not.toMatch(/<script|javascript:|# heading|gnp/);
    for (const character of ['\u202e', '\u001b']) expect(text).not.toContain(character);
  });

  test('escapes odd texts', () => {
    expect(fenced('a\n~~~~~~\nb')).toMatch(/^~{7}text\n[^]*\n~{7}$/);
    expect(inline('[x](y) <b> `c`\n# d\u200b')).toBe('\\[x\\]\\(y\\) \\<b\\> \\`c\\` \\# d\\\\u\\{200b\\}');
  });
});
