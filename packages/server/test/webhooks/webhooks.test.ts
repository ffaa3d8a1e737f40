import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { askedFor, pauseAfter } from '../../src/webhooks/schedule.ts';
import { type TestAgent, useService } from '../../../../testing/service/service.ts';
import { ca, HOST, type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
const service = useService(async () => {
  receiver = await startReceiver();
  return {
    settings: {
      DOMAIN_CHECK_TEST_HOSTS: `${HOST}=127.0.0.1:${receiver.port}`,
      LIMIT_WEBHOOKS_PER_ACCOUNT: '3',
    },
    domainCheck: { ca, timeoutMs: 1_000 },
  };
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received = [];
  receiver.answer = { status: 200 };
  service.clock.release();
});

const URL = `https://${HOST}/hook?from=svc`;
const add = (agent: TestAgent, body: object = { url: URL }) =>
  service.call('POST', '/api/v1/me/webhooks', body, agent);
const log = async (agent: TestAgent, id: string): Promise<any[]> =>
  (await service.call('GET', `/api/v1/me/webhooks/${id}/deliveries`, undefined, agent)).body.deliveries;
const shown = async (agent: TestAgent): Promise<any[]> =>
  (await service.call('GET', '/api/v1/me/webhooks', undefined, agent)).body.webhooks;

/** Something to tell of: an etch that is retracted. */
async function happen(agent: TestAgent): Promise<string> {
  const { id } = await service.etch(agent, { content: 'canary-words' });
  expect((await service.call('POST', `/api/v1/etches/${id}/retract`, undefined, agent)).status).toBe(200);
  return id;
}
async function send(): Promise<void> {
  await service.runTask('events');
  await service.runTask('webhooks');
}
const MINUTE = 60_000;

describe('a webhook', () => {
  test('is sent what happens from then on, signed as Standard Webhooks says, once', async () => {
    const agent = await service.registerAgent();
    await happen(agent);
    await service.runTask('events');
    const { status, body } = await add(agent);
    expect(status).toBe(201);
    const id = await happen(agent);
    await send();
    await send();
    expect(receiver.received).toHaveLength(1);
    const [{ path, headers, body: text }] = receiver.received as [any];
    expect(path).toBe('/hook?from=svc');
    expect(headers).toMatchObject({ host: HOST, 'content-type': 'application/json' });
    // The official library, with the secret as it was shown; it also refuses a time that is not now.
    const event = new Webhook(body.secret).verify(text, headers) as any;
    expect(() => new Webhook(body.secret).verify(`${text} `, headers)).toThrow();
    expect(event).toMatchObject({
      id: headers['webhook-id'],
      type: 'etch.retracted',
      data: { etch: { id, content: null } },
    });
    const listed = await service.call('GET', '/api/v1/me/events', undefined, agent);
    expect(listed.body.events.at(-1)).toEqual(event);
    expect(await log(agent, body.webhook.id)).toMatchObject([
      {
        event_id: event.id,
        state: 'delivered',
        attempts: 1,
        last_status: 200,
        problem: null,
        next_attempt_at: null,
      },
    ]);
    expect((await shown(agent))[0]).toMatchObject({
      last_delivered_at: expect.any(String),
      failing_since: null,
    });
    expect(JSON.stringify(await shown(agent))).not.toContain('whsec_');
  });

  test('is sent only the types it asked for, and nothing of other accounts', async () => {
    const [agent, other] = [await service.registerAgent(), await service.registerAgent()];
    expect((await add(agent, { url: URL, types: ['challenge.closed'] })).body.webhook.types).toEqual([
      'challenge.closed',
    ]);
    expect((await add(other)).body.webhook.types).toHaveLength(4);
    await happen(agent);
    await send();
    expect(receiver.received).toEqual([]);
  });

  test('is sent the record as it is when it is sent: what was retracted meanwhile is a tombstone', async () => {
    const agent = await service.registerAgent();
    const { secret } = (await add(agent)).body;
    const reveal_at = new Date(service.clock.now() + 400_000).toISOString();
    const { id } = await service.etch(agent, { mode: 'delayed', reveal_at, content: 'canary-sealed' });
    receiver.answer = { status: 500 };
    service.clock.advance(401_000);
    await service.runTask('reveal');
    await send();
    expect(receiver.received.at(-1)!.body).toContain('canary-sealed');
    await service.call('POST', `/api/v1/etches/${id}/retract`, undefined, agent);
    receiver.answer = { status: 204 };
    receiver.received = [];
    service.clock.advance(MINUTE);
    await send();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
      'etch.revealed',
      'etch.retracted',
    ]);
    for (const { body } of receiver.received) {
      expect(body).not.toContain('canary-sealed');
      expect(JSON.parse(body).data.etch).toMatchObject({ id, status: 'retracted', content: null });
    }
    expect(secret).toMatch(/^whsec_/);
    const stored = JSON.stringify(await service.db.query(sql`select * from webhook_delivery`));
    expect(stored).not.toContain('canary');
  });

  test('that fails is tried again, later each time, with the same id; what succeeds is not', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    receiver.answer = { status: 502 };
    await happen(agent);
    await send();
    await send();
    expect(receiver.received).toHaveLength(1);
    const [first] = await log(agent, webhook.id);
    expect(first).toMatchObject({ state: 'pending', attempts: 1, last_status: 502, problem: 'answered 502' });
    expect(Date.parse(first.next_attempt_at)).toBeGreaterThan(service.clock.now());
    expect((await shown(agent))[0].failing_since).toBe(first.last_attempt_at);

    receiver.answer = { status: 302, headers: { location: `https://${HOST}/elsewhere` } };
    service.clock.advance(MINUTE);
    await send();
    expect(receiver.received).toHaveLength(2);
    expect((await log(agent, webhook.id))[0]).toMatchObject({
      attempts: 2,
      problem: 'redirects, which is not followed',
    });
    receiver.answer = { status: 200 };
    service.clock.advance(10 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await log(agent, webhook.id))[0]).toMatchObject({ state: 'delivered', attempts: 3 });
    expect((await shown(agent))[0].failing_since).toBeNull();
    service.clock.advance(24 * 60 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(3);
  });

  test('that does not answer in time has failed, and is not asked before a time it names', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    receiver.answer = null;
    await happen(agent);
    await send();
    expect((await log(agent, webhook.id))[0]).toMatchObject({
      last_status: null,
      problem: 'did not answer in time',
    });
    receiver.answer = { status: 503, headers: { 'retry-after': '7200' } };
    service.clock.advance(10 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(2);
    receiver.answer = { status: 200 };
    service.clock.advance(100 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(2);
    service.clock.advance(30 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(3);
  });

  test('is not asked before a date it names, and after a day at most whatever it names', async () => {
    const agent = await service.registerAgent();
    await add(agent);
    const date = new Date(service.clock.now() + 120 * MINUTE).toUTCString();
    receiver.answer = { status: 503, headers: { 'retry-after': date } };
    await happen(agent);
    await send();
    service.clock.advance(110 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = { status: 503, headers: { 'retry-after': '8640000' } };
    service.clock.advance(20 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(2);
    // Another event waits for the same webhook, and is no way around it.
    await happen(agent);
    receiver.answer = { status: 200 };
    service.clock.advance(23 * 60 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(2);
    service.clock.advance(2 * 60 * MINUTE);
    await send();
    expect(receiver.received).toHaveLength(4);
  });

  test.each([
    ['7200', 7_200_000],
    ['86401', 86_400_000],
    ['9'.repeat(400), 86_400_000],
    ['Sat, 01 Aug 2026 12:00:30 GMT', 30_000],
    ['Sat, 01 Aug 2099 12:00:00 GMT', 86_400_000],
    ['Sat, 01 Aug 2026 11:00:00 GMT', 0],
    ['Sat, 99 Xyz 2026 11:00:00 GMT', 0],
    ['2027', 2_027_000],
    ['soon', 0],
    ['-5', 0],
    [undefined, 0],
  ])('whose Retry-After is %s asks for %d ms', (header, expected) => {
    expect(askedFor(header, Date.parse('2026-08-01T12:00:00Z'))).toBe(expected);
  });

  test('is given up for one event after eleven attempts, and disabled when all have failed for three days', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    receiver.answer = { status: 500 };
    await happen(agent);
    for (let hours = 0; hours < 95; hours++) {
      // Of the first event nothing may be left to try by then.
      if (hours === 70) await happen(agent);
      await send();
      service.clock.advance(60 * MINUTE);
    }
    const deliveries = await log(agent, webhook.id);
    expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(deliveries.map(({ attempts }) => attempts <= 11)).toEqual([true, true]);
    const [row] = await shown(agent);
    expect(row).toMatchObject({
      disabled_at: expect.any(String),
      disabled_reason: expect.stringContaining('three days'),
    });
    receiver.received = [];
    receiver.answer = { status: 200 };
    await happen(agent);
    await send();
    expect(receiver.received).toEqual([]);
    expect(pauseAfter(11, 0, 0)).toBeNull();
    for (let attempt = 1; attempt <= 10; attempt++)
      expect(pauseAfter(attempt, 0, 1)).toBeGreaterThan(pauseAfter(attempt, 0, 0)!);
  });

  test('whose receiver says it is gone is disabled at once', async () => {
    const agent = await service.registerAgent();
    await add(agent);
    receiver.answer = { status: 410 };
    await happen(agent);
    await send();
    expect((await shown(agent))[0]).toMatchObject({ disabled_reason: expect.stringContaining('410') });
  });

  test('is not held up by another one that fails', async () => {
    const agent = await service.registerAgent();
    const broken = (await add(agent, { url: 'https://nowhere.invalid/hook' })).body.webhook;
    const fine = (await add(agent)).body.webhook;
    await happen(agent);
    await happen(agent);
    await send();
    expect((await log(agent, fine.id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    // One attempt, and peace: the second event waits.
    expect((await log(agent, broken.id)).map(({ attempts }) => attempts)).toEqual([0, 1]);
    expect((await log(agent, broken.id))[1].problem).toBe('cannot be found by name');
  });

  test('is sent each event once by any number of processes', async () => {
    const agent = await service.registerAgent();
    await add(agent);
    for (let count = 0; count < 5; count++) await happen(agent);
    await service.runTask('events');
    await Promise.all(Array.from({ length: 6 }, () => service.runTask('webhooks')));
    expect(receiver.received).toHaveLength(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(5);
  });

  test('that was being served by a process that died is served by another one a minute later', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    await happen(agent);
    await service.runTask('events');
    const claimed = new Date(service.clock.now() + MINUTE).toISOString();
    await service.db.query(sql`update webhook set not_before = ${claimed} where id = ${webhook.id}`);
    await service.runTask('webhooks');
    expect(receiver.received).toHaveLength(0);
    service.clock.advance(MINUTE + 1);
    await service.runTask('webhooks');
    expect(receiver.received).toHaveLength(1);
  });

  test('removed is sent nothing more, and its log goes with it', async () => {
    const [agent, other] = [await service.registerAgent(), await service.registerAgent()];
    const { webhook } = (await add(agent)).body;
    await happen(agent);
    await service.runTask('events');
    const path = `/api/v1/me/webhooks/${webhook.id}`;
    expect((await service.call('DELETE', path, undefined, other)).status).toBe(404);
    expect((await service.call('GET', `${path}/deliveries`, undefined, other)).status).toBe(404);
    expect((await service.call('DELETE', path, undefined, agent)).body.webhook).toEqual(webhook);
    await send();
    expect(receiver.received).toEqual([]);
    expect((await service.call('DELETE', path, undefined, agent)).status).toBe(404);
  });

  test('its log is read in pages, newest first', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    for (let count = 0; count < 3; count++) await happen(agent);
    await send();
    const path = `/api/v1/me/webhooks/${webhook.id}/deliveries?limit=2`;
    const first = (await service.call('GET', path, undefined, agent)).body;
    const rest = (await service.call('GET', `${path}&cursor=${first.page.next_cursor}`, undefined, agent))
      .body;
    expect([first.deliveries.length, rest.deliveries.length, rest.page.has_more]).toEqual([2, 1, false]);
    const ids = [...first.deliveries, ...rest.deliveries].map(({ event_id }) => event_id);
    expect(ids.reverse()).toEqual(receiver.received.map(({ headers }) => headers['webhook-id']));
  });
});

describe('what a webhook may not be', () => {
  test.each([
    'http://agents.example.org/',
    'ftp://agents.example.org/',
    'agents.example.org',
    'https://agents.example.org:8443/',
    'https://user:pass@agents.example.org/',
    'https://agents.example.org/#x',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://intranet/',
    'https://',
  ])('%s is refused', async (url) => {
    const agent = await service.registerAgent();
    const { status, body } = await add(agent, { url });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('url');
  });

  test('a name that leads into a private network gets nothing', async () => {
    const agent = await service.registerAgent();
    // A public name service's answer for it is 127.0.0.1; without one it cannot be found, which is as good.
    const { webhook } = (await add(agent, { url: 'https://localhost.localdomain/hook' })).body;
    await happen(agent);
    await send();
    expect((await log(agent, webhook.id))[0].problem).toMatch(
      /has no public address|cannot be found by name/,
    );
    expect(receiver.received).toEqual([]);
  });

  test('one more than an account may have, also at once', async () => {
    const agent = await service.registerAgent();
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(agent)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
    const [first] = await shown(agent);
    await service.call('DELETE', `/api/v1/me/webhooks/${first.id}`, undefined, agent);
    expect((await add(agent)).status).toBe(201);
  });

  test('made or removed with a read key', async () => {
    const agent = await service.registerAgent();
    const { webhook } = (await add(agent)).body;
    const { api_key: key } = (await service.call('POST', '/api/v1/me/keys', { name: 'reader' }, agent)).body;
    expect((await service.call('POST', '/api/v1/me/webhooks', { url: URL }, { key })).status).toBe(403);
    expect(
      (await service.call('DELETE', `/api/v1/me/webhooks/${webhook.id}`, undefined, { key })).status,
    ).toBe(403);
    expect((await service.call('GET', '/api/v1/me/webhooks', undefined, { key })).status).toBe(200);
  });
});

describe('where webhooks are off', () => {
  const without = useService({ settings: { WEBHOOKS_ENABLED: 'false' } });
  test('there are none, and events can be read all the same', async () => {
    const agent = await without.registerAgent();
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { url: URL }],
      ['DELETE', `/${unknown}`, undefined],
      ['GET', `/${unknown}/deliveries`, undefined],
    ] as const)
      expect((await without.call(method, `/api/v1/me/webhooks${path}`, body, agent)).status).toBe(404);
    expect((await without.call('GET', '/api/v1/me/events', undefined, agent)).status).toBe(200);
    expect(without.assembled.tasks.map(({ name }) => name)).not.toContain('webhooks');
  });
});
