import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useHookedService } from './hooked-service.ts';

const hooks = useHookedService();
const HOUR = 3_600_000;

const { hooked } = hooks;
const post = (agent: TestAgent, path: string) =>
  hooks.service.post(`/api/v1/me/webhooks/${path}`, undefined, agent);
const lastHeaders = () => hooks.receiver.received.at(-1)!.headers as Record<string, string>;
const opens = (secret: string) => {
  const { body, headers } = hooks.receiver.received.at(-1)!;
  return new Webhook(secret).verify(body, headers as Record<string, string>) as any;
};

test('a ping is sent at once, signed, returns its outcome, and is no event', async () => {
  const { agent, id, secret } = await hooked();
  hooks.receiver.answer = { status: 204 };
  const { status, body } = await post(agent, `${id}/ping`);
  expect(status).toBe(200);
  expect(body.delivery).toMatchObject({ type: 'ping', state: 'delivered', attempts: 1, last_status: 204 });
  const ping = opens(secret);
  expect(ping).toMatchObject({ id: lastHeaders()['webhook-id'], type: 'ping', data: { webhook: { id } } });
  expect(body.delivery.event_id).toBe(ping.id);
  expect(await hooks.log(agent, id)).toEqual([body.delivery]);
  expect(hooks.receiver.received.at(-1)!.body).not.toContain('whsec_');
  expect((await hooks.service.get('/api/v1/me/events', agent)).body.events).toEqual([]);
});

test('a ping that fails returns the reason and changes nothing else; another must wait some seconds', async () => {
  const { agent, id } = await hooked();
  hooks.receiver.answer = { status: 410 };
  const { body } = await post(agent, `${id}/ping`);
  expect(body.delivery).toMatchObject({ state: 'failed', last_status: 410, problem: 'answered 410' });
  expect(body.delivery.next_attempt_at).toBeNull();
  expect((await hooks.shown(agent))[0]).toMatchObject({ failing_since: null, disabled_at: null });
  const again = await post(agent, `${id}/ping`);
  expect(again.status).toBe(429);
  expect(hooks.receiver.received).toHaveLength(1);
  hooks.service.clock.advance(5_000);
  expect((await post(agent, `${id}/ping`)).status).toBe(200);
  expect(await hooks.log(agent, id)).toHaveLength(1);
});

test('a ping that succeeds ends a pause, and enables a disabled webhook', async () => {
  const { agent, id } = await hooked();
  hooks.receiver.answer = { status: 410 };
  await hooks.happen(agent);
  await hooks.send();
  expect((await hooks.shown(agent))[0].disabled_reason).toContain('410');
  const [lost] = await hooks.log(agent, id);
  const refused = await post(agent, `${id}/deliveries/${lost.event_id}/redeliver`);
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('ping it')]);

  hooks.receiver.answer = { status: 200 };
  await post(agent, `${id}/ping`);
  expect((await hooks.shown(agent))[0]).toMatchObject({ disabled_at: null, failing_since: null });
  await hooks.happen(agent);
  await hooks.send();
  expect((await hooks.log(agent, id))[0]).toMatchObject({ type: 'etch.retracted', state: 'delivered' });
});

test('a pause sends only pings; events of the pause are sent in order when it ends', async () => {
  const { agent, id } = await hooked();
  const paused = (await post(agent, `${id}/pause`)).body.webhook;
  expect(paused.paused_at).not.toBeNull();
  hooks.service.clock.advance(1_000);
  expect((await post(agent, `${id}/pause`)).body.webhook.paused_at).toBe(paused.paused_at);
  const first = await hooks.happen(agent);
  hooks.service.clock.advance(1_000);
  const second = await hooks.happen(agent);
  await hooks.send();
  expect(hooks.receiver.received).toHaveLength(0);
  expect(await hooks.log(agent, id)).toMatchObject([{ state: 'pending' }, { state: 'pending' }]);
  expect((await post(agent, `${id}/ping`)).body.delivery.state).toBe('delivered');
  expect((await hooks.shown(agent))[0].paused_at).toBe(paused.paused_at);

  expect((await post(agent, `${id}/resume`)).body.webhook.paused_at).toBeNull();
  await hooks.send();
  const ids = hooks.receiver.received.slice(1).map(({ body }) => JSON.parse(body).data.etch.id);
  expect(ids).toEqual([first, second]);
});

test('a logged delivery is sent again with its id and attempts, whether it succeeded or was given up', async () => {
  const { agent, id, secret } = await hooked();
  await hooks.happen(agent);
  await hooks.send();
  const [settled] = await hooks.log(agent, id);
  const other = await hooks.service.registerAgent();
  for (const path of [`${id}/deliveries/${settled.event_id}/redeliver`, `${id}/ping`, `${id}/rotate-secret`])
    expect((await post(other, path)).status).toBe(404);
  const { status, body } = await post(agent, `${id}/deliveries/${settled.event_id}/redeliver`);
  expect(status).toBe(200);
  expect(body.delivery).toMatchObject({ event_id: settled.event_id, state: 'pending', attempts: 0 });
  hooks.receiver.answer = { status: 500 };
  await hooks.send();
  expect(opens(secret).id).toBe(settled.event_id);
  expect((await hooks.log(agent, id))[0]).toMatchObject({ state: 'pending', attempts: 1 });
  const next = (await post(agent, `${id}/deliveries/${settled.event_id}/redeliver`)).body.delivery;
  expect(next).toMatchObject({ state: 'pending', attempts: 1 });
  await hooks.send();
  expect(hooks.receiver.received).toHaveLength(2);
  hooks.receiver.answer = { status: 200 };
  await hooks.sendAfter(2_000);
  expect(hooks.receiver.received).toHaveLength(3);
  expect(await hooks.log(agent, id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
});

test('a rotated secret signs next to the new one until its time is over, which the webhook shows', async () => {
  const { agent, id, secret } = await hooked();
  const { status, body } = await post(agent, `${id}/rotate-secret?overlap_hours=2`);
  expect(status).toBe(200);
  expect(body.secret).not.toBe(secret);
  expect(Date.parse(body.webhook.old_secrets_until) - hooks.service.clock.now()).toBeGreaterThan(1.9 * HOUR);
  await hooks.happen(agent);
  await hooks.send();
  expect(lastHeaders()['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  expect(opens(secret)).toEqual(opens(body.secret));

  hooks.service.clock.advance(2 * HOUR);
  expect(await hooks.shown(agent)).toMatchObject([{ old_secrets_until: null }]);
  await hooks.service.runTask('forget events');
  await hooks.happen(agent);
  await hooks.send();
  expect(lastHeaders()['webhook-signature']).toMatch(/^v1,\S+$/);
  // The library accepts only the real time, so compare signatures at ours.
  expect(lastHeaders()['webhook-signature']).toBe(signatureUnder(body.secret));
});

test('a rotated secret rotates again if the answer was lost, up to a limit; overlap 0 ends all old secrets', async () => {
  const { agent, id, secret } = await hooked();
  const answers = [];
  for (let count = 0; count < 5; count++) answers.push(await post(agent, `${id}/rotate-secret`));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
  await hooks.happen(agent);
  await hooks.send();
  for (const { body } of answers.slice(0, 4)) expect(opens(body.secret).type).toBe('etch.retracted');
  expect(opens(secret).type).toBe('etch.retracted');
  const { body } = await post(agent, `${id}/rotate-secret?overlap_hours=0`);
  expect(body.webhook.old_secrets_until).toBeNull();
  await hooks.happen(agent);
  await hooks.send();
  expect(lastHeaders()['webhook-signature']).toBe(signatureUnder(body.secret));
});

function signatureUnder(secret: string): string {
  const { body } = hooks.receiver.received.at(-1)!;
  const { 'webhook-id': id, 'webhook-timestamp': seconds } = lastHeaders();
  return new Webhook(secret).sign(id!, new Date(Number(seconds) * 1000), body);
}

test('logs one line per attempt, without the URL', async () => {
  const { agent, id } = await hooked();
  const lines = () =>
    hooks.service.log
      .map((line) => JSON.parse(line))
      .filter(({ webhook, attempt }) => webhook === id && attempt !== undefined);
  hooks.receiver.answer = { status: 502 };
  await hooks.happen(agent);
  await hooks.send();
  hooks.receiver.answer = { status: 200 };
  await hooks.sendAfter(60_000);
  await post(agent, `${id}/ping`);
  const event = (await hooks.log(agent, id))[1].event_id;
  const retraction = { event, type: 'etch.retracted' };
  expect(lines()).toMatchObject([
    { ...retraction, attempt: 1, status: 502, problem: 'answered 502', ms: expect.any(Number) },
    { ...retraction, attempt: 2, status: 200 },
    { type: 'ping', attempt: 1, status: 200 },
  ]);
  expect(JSON.stringify(lines())).not.toContain('hook?from');
});
