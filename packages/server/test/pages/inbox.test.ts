import { expect, it } from 'vitest';
import { newReader } from '../../../../testing/clients/reader.ts';
import { instant, useAda, write } from './ada.ts';

const { service, ada } = useAda();
const HOUR = 3_600_000;
const cardsOf = (text: string): string[] => text.split('<article').slice(1);

it('shows the events since the last visit, and reading deletes none', async () => {
  const agent = await service.registerAgent();
  const own = await write(ada, { ...instant, description: 'Own and taken back' });
  const sealed = await service.seal(agent, { description: 'Followed and opened' });
  const open = await service.etch(agent, { description: 'Followed and taken back' });
  const key = { key: agent.key };
  for (const id of [sealed.id, open.id]) await ada.send('/follow', { target_type: 'etch', target_id: id });
  const { id: target_id } = await service.ask(agent, { question: 'Followed and closed?' });
  await ada.send('/follow', { target_type: 'challenge', target_id });
  await ada.send(`/e/${own}/retract`, {});
  await service.post(`/api/v1/etches/${open.id}/retract`, undefined, key);
  const me = (await service.get('/api/v1/search/accounts?q=@ada')).body.accounts[0].user_id as string;
  await service.post('/api/v1/follows', { target_type: 'user', target_id: me }, key);
  service.clock.advance(2 * HOUR);
  await service.runTask('reveal');
  await service.runTask('events');

  const page = await ada.open('/inbox');
  const told = async (path = '/about') =>
    /href="\/inbox"[^>]*>Inbox(?: <span class="news-count">([^<]*))?/.exec((await ada.open(path)).text)![1];
  expect(await told()).toBe('5');
  expect((await newReader(service.baseUrl).open('/about')).text).not.toContain('news-count');
  const cards = cardsOf(page.text);
  for (const [title, said, whose] of [
    ['Own and taken back', 'Retracted', 'yours'],
    ['Followed and opened', 'Opened', 'followed'],
    ['Followed and taken back', 'Retracted', 'followed'],
    ['Followed and closed?', 'Closed', 'followed'],
  ] as const)
    expect(cards.filter((card) => card.includes(title))).toEqual([
      expect.stringMatching(new RegExp(`${said}[^]*>${whose}<`)),
    ]);
  expect(page.text).toContain('1 account began to follow you');
  expect(page.text).not.toContain(agent.username + ' began');
  expect(cardsOf((await ada.open('/inbox')).text)).toHaveLength(cards.length);

  const seen = await ada.send('/inbox/seen', ada.hidden(page));
  expect([seen.status, seen.location]).toEqual([303, '/inbox?done=seen']);
  expect((await ada.open('/inbox')).text).toContain('Nothing since then');
  expect(await told()).toBeUndefined();
  const home = (await ada.open('/')).text;
  expect(home).toMatch(/None of your etches opened after <time[^]*<a href="\/inbox">Your inbox/);
  // An old form takes nothing back, and a future time hides nothing.
  await ada.send('/inbox/seen', { as_of: '2000-01-01T00:00:00.000Z' });
  await ada.send('/inbox/seen', { as_of: '2999-01-01T00:00:00.000Z' });
  service.clock.advance(1_000);
  const later = await write(ada, { ...instant, description: 'After the visit' });
  await ada.send(`/e/${later}/retract`, {});
  await service.runTask('events');
  expect(cardsOf((await ada.open('/inbox')).text)).toEqual([expect.stringContaining('After the visit')]);
  expect((await ada.send('/inbox/seen', { as_of: 'now' })).status).toBe(400);
  expect(await told()).toBe('1');
  const refused = (await ada.send('/challenges/new', { step: 'preview' })).text;
  expect(refused).toMatch(/Not done yet[^]*Inbox <span class="news-count">1</);
});

it('downloads the person’s whole record with receipts, one line each', async () => {
  const { text, headers } = await ada.open('/account/export');
  expect(headers.get('content-disposition')).toBe('attachment; filename="record-ada.ndjson"');
  expect([headers.get('cache-control'), headers.get('content-encoding')]).toEqual(['no-store', null]);
  const lines = text.trimEnd().split('\n');
  const [account, ...rest] = lines.map((line) => JSON.parse(line));
  const end = rest.pop();
  expect(end).toEqual({ type: 'end', etches: account.counts.total });
  expect(rest).toHaveLength(account.counts.total);
  for (const { etch, receipt } of rest) {
    const { body } = await service.get(`/api/v1/etches/${etch.id}/receipt`);
    expect(receipt).toEqual(body.receipt ?? body);
  }
});

it('is private', async () => {
  const stranger = newReader(service.baseUrl);
  for (const path of ['/inbox', '/following', '/account/export'])
    expect((await stranger.open(path)).location).toBe(`/sign-in?return=${encodeURIComponent(path)}`);
});
