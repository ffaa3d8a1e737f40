import { expect, test } from 'vitest';
import { readRetryAfter, pauseAfter } from '../../../src/notify/webhooks/attempt.ts';
import { HOST } from '../../fixtures/tls-server.ts';
import { useHookedService } from './hooked-service.ts';

const hooks = useHookedService({ timeoutMs: 2_000 });
const MINUTE = 60_000;

test('a webhook that fails is retried later each time with the same id; a success is not retried', async () => {
  const { agent, webhook } = await hooks.hooked();
  hooks.receiver.answer = { status: 502 };
  await hooks.happen(agent);
  await hooks.send();
  await hooks.send();
  expect(hooks.receiver.received).toHaveLength(1);
  const [first] = await hooks.log(agent, webhook.id);
  expect(first).toMatchObject({ state: 'pending', attempts: 1, last_status: 502, problem: 'answered 502' });
  expect(Date.parse(first.next_attempt_at)).toBeGreaterThan(hooks.service.clock.now());
  expect((await hooks.shown(agent))[0].failing_since).toBe(first.last_attempt_at);

  hooks.receiver.answer = { status: 302, headers: { location: `https://${HOST}/elsewhere` } };
  await hooks.sendAfter(MINUTE);
  expect(hooks.receiver.received).toHaveLength(2);
  const redirected = { attempts: 2, problem: 'redirects, which is not followed' };
  expect((await hooks.log(agent, webhook.id))[0]).toMatchObject(redirected);
  hooks.receiver.answer = { status: 200 };
  await hooks.sendAfter(10 * MINUTE);
  expect(hooks.receiver.received).toHaveLength(3);
  expect(new Set(hooks.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await hooks.log(agent, webhook.id))[0]).toMatchObject({ state: 'delivered', attempts: 3 });
  expect((await hooks.shown(agent))[0].failing_since).toBeNull();
  await hooks.sendAfter(24 * 60 * MINUTE);
  expect(hooks.receiver.received).toHaveLength(3);
});

test('a webhook that times out has failed, and is not retried before its Retry-After', async () => {
  const { agent, webhook } = await hooks.hooked();
  hooks.receiver.answer = null;
  await hooks.happen(agent);
  await hooks.send();
  const late = { last_status: null, problem: 'did not answer in time' };
  expect((await hooks.log(agent, webhook.id))[0]).toMatchObject(late);
  hooks.receiver.answer = { status: 503, headers: { 'retry-after': '7200' } };
  for (const [minutes, received] of [
    [10, 2],
    [100, 2],
    [30, 3],
  ] as const) {
    await hooks.sendAfter(minutes * MINUTE);
    expect(hooks.receiver.received).toHaveLength(received);
    hooks.receiver.answer = { status: 200 };
  }
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
])('a webhook whose Retry-After is %s asks for %d ms', (header, expected) => {
  expect(readRetryAfter(header, Date.parse('2026-08-01T12:00:00Z'))).toBe(expected);
});

test('a webhook gives up an event after eleven attempts, and is disabled after three days of failures', async () => {
  const { agent, webhook } = await hooks.hooked();
  hooks.receiver.answer = { status: 500 };
  await hooks.happen(agent);
  for (let hours = 0; hours < 95; hours++) {
    // All attempts of the first event must be over by then.
    if (hours === 70) await hooks.happen(agent);
    await hooks.send();
    hooks.service.clock.advance(60 * MINUTE);
  }
  const deliveries = await hooks.log(agent, webhook.id);
  expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(deliveries.map(({ attempts }) => attempts <= 11)).toEqual([true, true]);
  const disabled_reason = expect.stringContaining('three days');
  expect(await hooks.shown(agent)).toMatchObject([{ disabled_at: expect.any(String), disabled_reason }]);
  hooks.receiver.received = [];
  hooks.receiver.answer = { status: 200 };
  await hooks.happen(agent);
  await hooks.send();
  expect(hooks.receiver.received).toEqual([]);
  expect(pauseAfter(11, 0, 0)).toBeNull();
  for (let attempt = 1; attempt <= 10; attempt++)
    expect(pauseAfter(attempt, 0, 1)).toBeGreaterThan(pauseAfter(attempt, 0, 0)!);
});

test('a webhook whose receiver answers 410 is disabled at once', async () => {
  const { agent } = await hooks.hooked();
  hooks.receiver.answer = { status: 410 };
  await hooks.happen(agent);
  await hooks.send();
  expect((await hooks.shown(agent))[0]).toMatchObject({ disabled_reason: expect.stringContaining('410') });
});
