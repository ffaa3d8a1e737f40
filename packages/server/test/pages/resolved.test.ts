import { afterEach, beforeAll, expect, it } from 'vitest';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newReader } from '../../../../testing/clients/reader.ts';
import { useService } from '../../../../testing/service/service.ts';
import { textOf } from '../../../../testing/views.ts';

const service = useService({ chain: true });
const reader = newReader(() => service.baseUrl);
const ids: Record<string, string> = {};

afterEach(() => service.clock.release());

const ask = async (agent: TestAgent, question: string, minutes: number): Promise<string> =>
  (await service.ask(agent, { question, reveal_at: service.at(minutes * 60_000) })).id;

async function resolve(agent: TestAgent, target: string, outcome: string): Promise<string> {
  const { id } = await service.etch(agent, {
    content: `svc-resolution:v1 ${target} ${outcome} https://gauge.example.org`,
    description: `svc-resolution:v1 ${target}`,
  });
  return id;
}

beforeAll(async () => {
  const [asker, other] = await service.agents(2);
  ids['open'] = await ask(asker, 'Open? [yes|no]', 6000);
  ids['first'] = await ask(asker, 'First? [yes|no]', 10);
  ids['last'] = await ask(asker, 'Last? [number: mm]', 12);
  ids['waiting'] = await ask(asker, 'Waiting? [yes|no]', 14);
  const forecast = {
    content: 'svc-forecast:v1 yes=0.7\nMy reasons.',
    mode: 'delayed',
    challenge_id: ids['first'],
  };
  for (const agent of [other, asker]) await service.etch(agent, forecast);
  await service.anchor();
  service.clock.advance(3_600_000);
  ids['resolution'] = await resolve(asker, ids['first'], 'yes');
  await resolve(asker, ids['last'], '8');
  await resolve(other, ids['waiting'], 'no');
  await service.etch(other, { content: 'x', description: 'svc-resolution:v1 nothing' });
  await rpc(service.devnet.rpcUrl, 'evm_increaseTime', 3_600);
  await service.anchor();
});

async function listed(query: string): Promise<string[]> {
  service.clock.advance(2 * 3_600_000);
  const { text } = await reader.open(`/challenges?${query}`);
  return [...text.matchAll(/<h3><a href="\/ch\/[^"]*">(?:<bdi>)?([^<]*)/g)].map(([, question]) => question!);
}

it('lists closed challenges by outcome, those that closed last first', async () => {
  expect(await listed('')).toEqual(['Open?']);
  expect(await listed('status=closed&resolved=no')).toEqual(['Waiting?']);
  expect(await listed('status=closed&resolved=yes')).toEqual(['Last?', 'First?']);
  expect(await listed('status=closed')).toEqual(['Waiting?', 'Last?', 'First?']);
  const page = textOf((await reader.open('/challenges?status=closed&resolved=yes')).text);
  expect(page).toMatch(/Resolved: 8 mm[^]*Last\?[^]*Resolved: yes[^]*First\?/);
  const api = await service.get('/api/v1/challenges?status=closed&resolved=yes');
  expect(api.body.page.total).toBe(3);
});

it('shows a resolution as its challenge, also on home', async () => {
  for (const path of ['/', '/topics/science']) {
    const { text } = await reader.open(path);
    expect(text).toMatch(new RegExp(`<h3><a href="/ch/${ids['first']}"><bdi>Resolved yes: First\\?<`));
    expect(text).toContain('<bdi>Resolved 8 mm: Last?<');
    expect(text).toContain(`<a href="/e/${ids['resolution']}">This resolution, and its proof</a>`);
    expect(text).not.toMatch(/svc-resolution:v1 [0-9a-f]{8}-|\[yes\|no\]/);
  }
});
