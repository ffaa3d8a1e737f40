import { afterEach, beforeAll, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { textOf } from '../../../../testing/views.ts';

const service = useService({ chain: true });
const reader = newReader(() => service.baseUrl);
const ids: Record<string, string> = {};
let creator: TestAgent;

afterEach(() => service.clock.release());

async function resolve(agent: TestAgent, target: string, outcome: string): Promise<string> {
  const description = `svc-resolution:v1 ${target}`;
  const content = `${description} ${outcome} https://gauge.example.org`;
  return (await service.etch(agent, { content, description })).id;
}

beforeAll(async () => {
  const [asker, other] = await service.agents(2);
  creator = asker;
  for (const [question, minutes] of [
    ['Open? [yes|no]', 6000],
    ['First? [yes|no]', 10],
    ['Last? [number: mm]', 12],
    ['Waiting? [yes|no]', 14],
  ] as const)
    ids[question.split('?')[0]!] = (
      await service.ask(asker, { question, reveal_at: service.at(minutes * 60_000) })
    ).id;
  const forecast = { content: 'svc-forecast:v1 yes=0.7\nMy reasons.', challenge_id: ids['First'] };
  for (const agent of [other, asker]) await service.etch(agent, { ...forecast, mode: 'delayed' });
  await service.anchor();
  service.clock.advance(3_600_000);
  ids['resolution'] = await resolve(asker, ids['First']!, 'yes');
  await resolve(asker, ids['Last']!, '8');
  await resolve(other, ids['Waiting']!, 'no');
  await service.etch(other, { content: 'x', description: 'svc-resolution:v1 nothing' });
  await rpc(service.devnet.rpcUrl, 'evm_increaseTime', 3_600);
  await service.anchor();
  await service.runTask('events');
});

async function listed(query: string): Promise<string[]> {
  service.clock.advance(2 * 3_600_000);
  const { text } = await reader.open(`/challenges?${query}`);
  return [...text.matchAll(/<h3><a href="\/ch\/[^"]*">(?:<bdi>)?([^<]*)/g)].map(([, question]) => question!);
}

it('lists closed challenges by outcome, those that closed last first', async () => {
  for (const [query, ...questions] of [
    ['', 'Open?'],
    ['status=closed&resolved=no', 'Waiting?'],
    ['status=closed&resolved=yes', 'Last?', 'First?'],
    ['status=closed', 'Waiting?', 'Last?', 'First?'],
  ] as const)
    expect(await listed(query)).toEqual(questions);
  const page = textOf((await reader.open('/challenges?status=closed&resolved=yes')).text);
  expect(page).toMatch(/Resolved: 8 mm[^]*Last\?[^]*Resolved: yes[^]*First\?/);
  const api = await service.get('/api/v1/challenges?status=closed&resolved=yes');
  expect(api.body.page.total).toBe(3);
});

it('shows a resolution as its challenge, also on home, and with the answers of the same list', async () => {
  for (const [path, ...parts] of [
    [
      '/',
      `<h3><a href="/ch/${ids['First']}"><bdi>Resolved yes: First?<`,
      `<a href="/e/${ids['resolution']}">This resolution, and its proof</a>`,
    ],
    ['/topics/science', '2 answers below', `<a href="/e/${ids['resolution']}"><bdi>Outcome: yes<`],
  ] as const) {
    const { text } = await reader.open(path);
    for (const part of [...parts, '<bdi>Resolved 8 mm: Last?<']) expect(text).toContain(part);
    expect(text).not.toMatch(/svc-resolution:v1 [0-9a-f]{8}-|\[yes\|no\]/);
  }
});

it('the entry of several answers names the outcome of their challenge, also in a search', async () => {
  service.clock.advance(2 * 3_600_000);
  for (const [path, below] of [
    ['/topics/science', '2 answers and the outcome below'],
    ['/search?q=reasons', 'Science2 answers below'],
  ] as const) {
    const text = textOf((await reader.open(path)).text);
    expect(text, path).toContain(`Resolved: yes${below}`);
  }
});

it('the embed of a resolved challenge names the forecasters with the best score', async () => {
  service.clock.advance(2 * 3_600_000);
  const text = textOf((await reader.open(`/ch/${ids['First']}/embed`)).text);
  expect(text).toMatch(/Yes\. @\w+ and @\w+ were closest: 70 %\./);
});

it('shows no resolved question for words that resolve nothing', async () => {
  service.clock.advance(2 * 3_600_000);
  await resolve(creator, ids['Waiting']!, 'perhaps');
  await service.etch(creator, { content: 'I say no.', description: `svc-resolution:v1 ${ids['Waiting']}` });
  const text = textOf((await reader.open('/topics/science')).text);
  expect(text).toContain('Stated outcome: perhaps');
  expect(text).toContain('I say no.');
  expect(text).not.toMatch(/Resolved perhaps|Resolution: Waiting/);
});
