import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../../../../testing/machine/folder.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { HOST } from '../../fixtures/tls-server.ts';
import { HOOK, useHookedService } from './hooked-service.ts';

const hooks = useHookedService();
const MINUTE = 60_000;

test('a webhook is sent later events once, signed per Standard Webhooks', async () => {
  const agent = await hooks.service.registerAgent();
  await hooks.happen(agent);
  await hooks.service.runTask('events');
  const { status, body } = await hooks.add(agent);
  expect(status).toBe(201);
  const id = await hooks.happen(agent);
  await hooks.send();
  await hooks.send();
  expect(hooks.receiver.received).toHaveLength(1);
  const [{ path, headers, body: text }] = hooks.receiver.received as [any];
  expect(path).toBe('/hook?from=svc');
  expect(headers).toMatchObject({ host: HOST, 'content-type': 'application/json' });
  // The official library rejects any time that is not now.
  const event = new Webhook(body.secret).verify(text, headers) as any;
  expect(() => new Webhook(body.secret).verify(`${text} `, headers)).toThrow();
  const data = { etch: { id, content: null } };
  expect(event).toMatchObject({ id: headers['webhook-id'], type: 'etch.retracted', data });
  const listed = await hooks.service.get('/api/v1/me/events', agent);
  expect(listed.body.events.at(-1)).toEqual(event);
  const delivered = { state: 'delivered', attempts: 1, last_status: 200, problem: null };
  const log = await hooks.log(agent, body.webhook.id);
  expect(log).toMatchObject([{ event_id: event.id, ...delivered, next_attempt_at: null }]);
  const well = { last_delivered_at: expect.any(String), failing_since: null };
  expect(await hooks.shown(agent)).toMatchObject([well]);
  expect(JSON.stringify(await hooks.shown(agent))).not.toContain('whsec_');
});

test('a webhook is sent only its types and only events of its account', async () => {
  const [agent, other] = await hooks.service.agents(2);
  const types = ['challenge.closed'];
  expect((await hooks.add(agent, { url: HOOK, types })).body.webhook.types).toEqual(types);
  expect((await hooks.add(other)).body.webhook.types).toHaveLength(6);
  await hooks.happen(agent);
  await hooks.send();
  expect(hooks.receiver.received).toEqual([]);
});

test('a webhook is sent the current record: a text retracted in the meantime is a tombstone', async () => {
  const { agent, secret } = await hooks.hooked();
  const reveal_at = hooks.service.at(400_000);
  const { id } = await hooks.service.seal(agent, { reveal_at, content: 'canary-sealed' });
  hooks.receiver.answer = { status: 500 };
  hooks.service.clock.advance(401_000);
  await hooks.service.runTask('reveal');
  await hooks.send();
  expect(hooks.receiver.received.at(-1)!.body).toContain('canary-sealed');
  await hooks.service.retract(agent, id);
  hooks.receiver.answer = { status: 204 };
  hooks.receiver.received = [];
  await hooks.sendAfter(MINUTE);
  const data = { etch: { id, status: 'retracted', content: null } };
  const bodies = hooks.receiver.received.map(({ body }) => JSON.parse(body));
  expect(bodies).toMatchObject(['etch.revealed', 'etch.retracted'].map((type) => ({ type, data })));
  expect(JSON.stringify(bodies)).not.toContain('canary-sealed');
  expect(secret).toMatch(/^whsec_/);
  const stored = JSON.stringify(await hooks.service.db.query(sql`select * from webhook_delivery`));
  expect(stored).not.toContain('canary');
});

test('a webhook is not delayed by another one that fails', async () => {
  const agent = await hooks.service.registerAgent();
  const broken = (await hooks.add(agent, { url: 'https://nowhere.invalid/hook' })).body.webhook;
  const fine = (await hooks.add(agent)).body.webhook;
  await hooks.happen(agent);
  await hooks.happen(agent);
  await hooks.send();
  expect((await hooks.log(agent, fine.id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
  expect((await hooks.log(agent, broken.id)).map(({ attempts }) => attempts)).toEqual([0, 1]);
  expect((await hooks.log(agent, broken.id))[1].problem).toBe('cannot be found by name');
});

test('a webhook is sent each event once by several processes', async () => {
  const { agent } = await hooks.hooked();
  for (let count = 0; count < 5; count++) await hooks.happen(agent);
  await hooks.service.runTask('events');
  await Promise.all(Array.from({ length: 6 }, () => hooks.service.runTask('webhooks')));
  expect(hooks.receiver.received).toHaveLength(5);
  expect(new Set(hooks.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
});

test('a webhook of a process that died is served by another process a minute later', async () => {
  const { agent, webhook } = await hooks.hooked();
  await hooks.happen(agent);
  await hooks.service.runTask('events');
  const claimed = hooks.service.at(MINUTE);
  await hooks.service.db.query(sql`update webhook set not_before = ${claimed} where id = ${webhook.id}`);
  await hooks.service.runTask('webhooks');
  expect(hooks.receiver.received).toHaveLength(0);
  hooks.service.clock.advance(MINUTE + 1);
  await hooks.service.runTask('webhooks');
  expect(hooks.receiver.received).toHaveLength(1);
});

test('a webhook is sent nothing after its removal, and its log is deleted', async () => {
  const { agent, webhook } = await hooks.hooked();
  const other = await hooks.service.registerAgent();
  await hooks.happen(agent);
  await hooks.service.runTask('events');
  const path = `/api/v1/me/webhooks/${webhook.id}`;
  expect((await hooks.service.call('DELETE', path, undefined, other)).status).toBe(404);
  expect((await hooks.service.get(`${path}/deliveries`, other)).status).toBe(404);
  expect((await hooks.service.call('DELETE', path, undefined, agent)).body.webhook).toEqual(webhook);
  await hooks.send();
  expect(hooks.receiver.received).toEqual([]);
  expect((await hooks.service.call('DELETE', path, undefined, agent)).status).toBe(404);
});

test('a webhook has a log in pages, newest first', async () => {
  const { agent, webhook } = await hooks.hooked();
  for (let count = 0; count < 3; count++) await hooks.happen(agent);
  await hooks.send();
  const path = `/api/v1/me/webhooks/${webhook.id}/deliveries?limit=2`;
  const first = (await hooks.service.get(path, agent)).body;
  const rest = (await hooks.service.get(`${path}&cursor=${first.page.next_cursor}`, agent)).body;
  expect([first.deliveries.length, rest.deliveries.length, rest.page.has_more]).toEqual([2, 1, false]);
  const ids = [...first.deliveries, ...rest.deliveries].map(({ event_id }) => event_id);
  expect(ids.reverse()).toEqual(hooks.receiver.received.map(({ headers }) => headers['webhook-id']));
});

describe('webhooks that are rejected', () => {
  test.each([
    ...`http://agents.example.org/ ftp://agents.example.org/ agents.example.org https://agents.example.org:8443/
      https://user:pass@agents.example.org/ https://agents.example.org/#x https://localhost/ https://127.0.0.1/
      https://2130706433/ https://0x7f.1/ https://[::1]/ https://[::ffff:10.0.0.1]/ https://intranet/ https://`.split(
      /\s+/,
    ),
  ])('%s is rejected', async (url) => {
    const agent = await hooks.service.registerAgent();
    const { status, body } = await hooks.add(agent, { url });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('url');
  });

  test('a name that resolves to a private network is never reached', async () => {
    // A public resolver answers 127.0.0.1 for this name. Without a resolver the name is not found, which the test
    // accepts too.
    const { agent, id } = await hooks.hooked({ url: 'https://localhost.localdomain/hook' });
    await hooks.happen(agent);
    await hooks.send();
    const [{ problem }] = (await hooks.log(agent, id)) as [any];
    expect(problem).toMatch(/has no public address|cannot be found by name/);
    expect(hooks.receiver.received).toEqual([]);
  });

  test('one beyond the limit of the account, also concurrently', async () => {
    const agent = await hooks.service.registerAgent();
    const answers = await Promise.all(Array.from({ length: 8 }, () => hooks.add(agent)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(201),
      ...Array(5).fill(409),
    ]);
    const [first] = await hooks.shown(agent);
    await hooks.service.call('DELETE', `/api/v1/me/webhooks/${first.id}`, undefined, agent);
    expect((await hooks.add(agent)).status).toBe(201);
  });
});

describe('with webhooks off', () => {
  const without = useService({ settings: { DATA_DIR: folderWith('webhooks-off') } });
  test('there are none, and events can still be read', async () => {
    const agent = await without.registerAgent();
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const [method, path] of [
      ['DELETE', `/${unknown}`],
      ['GET', `/${unknown}/deliveries`],
    ] as const)
      expect((await without.call(method, `/api/v1/me/webhooks${path}`, undefined, agent)).status).toBe(404);
    expect((await without.get('/api/v1/me/events', agent)).status).toBe(200);
    expect(without.assembled.tasks.map(({ name }) => name)).not.toContain('webhooks');
  });
});
