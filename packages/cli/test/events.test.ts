import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServer, type LocalServer } from '../../../testing/machine/server.ts';
import { eventually } from '../../../testing/wait.ts';
import { eventExamples } from '../../../testing/clients/example-answers.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends } from '../../../testing/clients/ends.ts';

const { event: sample, webhook, deliveries, ping, again } = eventExamples;
const event = again.event_id;
const revealed = { ...sample, id: '99999999-2222-4333-8444-555555555555', type: 'etch.revealed' };

let service: LocalServer;
let later: unknown[];
let isAway: boolean;
let asked: string[];
beforeEach(async () => {
  [later, isAway, asked] = [[], false, []];
  service = await startServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const [path, query] = request.url!.split('?');
    const cursor = new URLSearchParams(query).get('cursor');
    const events = cursor === null ? [sample] : cursor === 'then' ? later : [];
    const next = cursor === null ? 'then' : later.length > 0 ? 'after' : 'then';
    const answers: Record<string, unknown> = {
      '/api/v1/me/events': { events, page: { limit: 100, has_more: false, next_cursor: next } },
      '/api/v1/me/webhooks':
        request.method === 'POST' ? { webhook, secret: 'whsec_eA==' } : { webhooks: [webhook] },
      [`/api/v1/me/webhooks/${webhook.id}`]: { webhook },
      [`/api/v1/me/webhooks/${webhook.id}/ping`]: {
        delivery: {
          ...ping,
          state: later.length > 0 ? 'failed' : 'delivered',
        },
      },
      [`/api/v1/me/webhooks/${webhook.id}/deliveries/${event}/redeliver`]: { delivery: again },
      [`/api/v1/me/webhooks/${webhook.id}/pause`]: { webhook: { ...webhook, paused_at: sample.timestamp } },
      [`/api/v1/me/webhooks/${webhook.id}/resume`]: { webhook },
      [`/api/v1/me/webhooks/${webhook.id}/rotate-secret`]: { webhook, secret: 'whsec_eQ==' },
      [`/api/v1/me/webhooks/${webhook.id}/deliveries`]: {
        deliveries,
        page: { limit: 100, has_more: false, next_cursor: null },
      },
    };
    response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(
      JSON.stringify(isAway ? { error: { code: 'service_unavailable', message: 'away' } } : answers[path!]),
    );
  });
});
afterEach(() => service.stop());
const env = () => ({ SVC_BASE_URL: service.url, SVC_API_KEY: 'svc_sk_test' });

describe('svc events', () => {
  test('lists events and the next cursor', async () => {
    const ran = await svcHere(['events', '--json'], { env: env() });
    expect(JSON.parse(ran.out)).toEqual({ events: [sample], next_cursor: 'then' });
    expect((await svcHere(['events', '--cursor', 'then'], { env: env() })).out).toBe('');
    const words = await svcHere(['events', '--types', sample.type], { env: env() });
    expect(words.out).toMatch(new RegExp(`^\\S+Z  ${sample.type}\\s+\\S+  .*\\n$`));
    const others = sample.type === 'etch.revealed' ? 'etch.retracted' : 'etch.revealed';
    expect((await svcHere(['events', '--types', others], { env: env() })).out).toBe('');
  });

  test('follows new events, even after an outage of the service', async () => {
    const end = new AbortController();
    let out = '';
    const ran = svc(['events', '--follow', '--json'], {
      env: env(),
      signal: end.signal,
      onOut: (told) => (out += told),
    });
    await eventually('it follows', () => asked.filter((path) => path.includes('cursor=then')).length > 0);
    isAway = true;
    const before = asked.length;
    await eventually('it asks on', () => asked.length > before + 6);
    [isAway, later] = [false, [revealed]];
    await eventually('the event', () => out.includes('\n'));
    end.abort();
    expect(out).toBe(`${JSON.stringify(revealed)}\n`);
    expect((await ran).err).toMatch(/retrying\n[^]*answers again\n/);
  });
});

test('svc webhooks accepts an id or a url', async () => {
  const ran = (...args: string[]) => svcHere(['webhooks', ...args], { env: env() });
  expect((await ran('list')).out).toContain(`${webhook.id}  ${webhook.url}  `);
  expect((await ran('add', webhook.url, '--types', webhook.types.join())).out).toContain(
    'secret  whsec_eA==',
  );
  expect((await ran('deliveries', webhook.url)).out).toContain(deliveries[0].event_id);
  expect(
    JSON.parse((await ran('deliveries', webhook.id, '--max', '1', '--json')).out).deliveries,
  ).toHaveLength(1);
  await ends(ran('ping', webhook.url), 0, { out: 'delivered' });
  later = [sample];
  expect(await ran('ping', webhook.url)).toMatchObject({ status: 1, out: expect.stringContaining('failed') });
  expect((await ran('redeliver', webhook.url, event)).out).toContain(event);
  expect((await ran('pause', webhook.url)).out).toContain(`ok, paused since ${sample.timestamp}`);
  expect((await ran('resume', webhook.id)).out).toMatch(/ ok\n$/);
  expect((await ran('rotate', webhook.id, '--overlap', '0')).out).toContain('secret  whsec_eQ==');
  expect(asked.at(-1)).toBe(`POST /api/v1/me/webhooks/${webhook.id}/rotate-secret?overlap_hours=0`);
  expect((await ran('remove', webhook.url)).out).toBe(`removed ${webhook.url}\n`);
  expect(asked.at(-1)).toBe(`DELETE /api/v1/me/webhooks/${webhook.id}`);
  expect(await ran('remove', 'https://none.example.org/')).toMatchObject({ status: 66 });
});

test('svc webhooks listen posts each event once to a local program, signed like a webhook', async () => {
  const got: { headers: IncomingMessage['headers']; body: string }[] = [];
  const receiver = await startServer((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers, body });
      response.writeHead(got.length === 1 ? 500 : 204).end();
    });
  });
  const end = new AbortController();
  let [out, err] = ['', ''];
  const ran = svc(['webhooks', 'listen', '--forward', `${receiver.url}/hook`], {
    env: env(),
    signal: end.signal,
    onOut: (told) => (out += told),
    onErr: (told) => (err += told),
  });
  const secret = await eventually('its secret', () => /signed with (whsec_\S+)\n/.exec(err)?.[1]);
  later = [sample, revealed];
  await eventually('both', () => out.split('\n').length > 2);
  end.abort();
  await ran;
  await receiver.stop();
  expect(out).toBe(`500   ${sample.type.padEnd(16)}  ${sample.id}\n204   etch.revealed     ${revealed.id}\n`);
  for (const { headers, body } of got) new Webhook(secret).verify(body, headers as Record<string, string>);
  expect(got.map(({ body }) => body)).toEqual([JSON.stringify(sample), JSON.stringify(revealed)]);
  expect(() =>
    new Webhook(`whsec_${btoa('another secret of 24 bytes')}`).verify(
      got[0]!.body,
      got[0]!.headers as Record<string, string>,
    ),
  ).toThrow();
});
