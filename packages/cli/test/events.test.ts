import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type LocalServer } from '../../../testing/machine/server.ts';
import { eventually } from '../../../testing/wait.ts';
import { eventExamples } from '../../../testing/clients/example-answers.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { svcHere } from './support/svc-here.ts';
import { ends, jsonOf } from '../../../testing/clients/ends.ts';

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
    const own = `/api/v1/me/webhooks/${webhook.id}`;
    const answers: Record<string, unknown> = {
      '/api/v1/me/events': { events, page: { limit: 100, has_more: false, next_cursor: next } },
      '/api/v1/me/webhooks':
        request.method === 'POST' ? { webhook, secret: 'whsec_eA==' } : { webhooks: [webhook] },
      [own]: { webhook },
      [`${own}/ping`]: { delivery: { ...ping, state: later.length > 0 ? 'failed' : 'delivered' } },
      [`${own}/deliveries/${event}/redeliver`]: { delivery: again },
      [`${own}/pause`]: { webhook: { ...webhook, paused_at: sample.timestamp } },
      [`${own}/resume`]: { webhook },
      [`${own}/rotate-secret`]: { webhook, secret: 'whsec_eQ==' },
      [`${own}/deliveries`]: { deliveries, page: { limit: 100, has_more: false, next_cursor: null } },
    };
    response.writeHead(isAway ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(
      JSON.stringify(isAway ? { error: { code: 'service_unavailable', message: 'away' } } : answers[path!]),
    );
  });
});
afterEach(() => service.stop());
const env = () => ({ SVC_BASE_URL: service.url, SVC_API_KEY: 'svc_sk_test' });
const run = (...args: string[]) => svcHere(args, { env: env() });

test('svc events lists events and the next cursor', async () => {
  expect(await jsonOf(run('events', '--json'))).toEqual({ events: [sample], next_cursor: 'then' });
  await ends(run('events', '--cursor', 'then'), 0, { out: '' });
  const shown = new RegExp(`^\\S+Z  ${sample.type}\\s+\\S+  .*\\n$`);
  await ends(run('events', '--types', sample.type), 0, { out: shown });
  const others = sample.type === 'etch.revealed' ? 'etch.retracted' : 'etch.revealed';
  await ends(run('events', '--types', others), 0, { out: '' });
});

test('svc events follows new events, even after an outage of the service', async () => {
  const end = new AbortController();
  let out = '';
  const ran = svc(['events', '--follow', '--json'], {
    env: env(),
    signal: end.signal,
    onOut: (text) => (out += text),
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

test('svc webhooks accepts an id or a url', async () => {
  const says = (out: string | RegExp, ...args: string[]) => ends(run('webhooks', ...args), 0, { out });
  await says(`${webhook.id}  ${webhook.url}  `, 'list');
  await says('secret  whsec_eA==', 'add', webhook.url, '--types', webhook.types.join());
  await says(deliveries[0].event_id, 'deliveries', webhook.url);
  const listed = await jsonOf(run('webhooks', 'deliveries', webhook.id, '--max', '1', '--json'));
  expect(listed.deliveries).toHaveLength(1);
  await says('delivered', 'ping', webhook.url);
  later = [sample];
  await ends(run('webhooks', 'ping', webhook.url), 1, { out: 'failed' });
  await says(event, 'redeliver', webhook.url, event);
  await says(`ok, paused since ${sample.timestamp}`, 'pause', webhook.url);
  await says(/ ok\n$/, 'resume', webhook.id);
  await says('secret  whsec_eQ==', 'rotate', webhook.id, '--overlap', '0');
  expect(asked.at(-1)).toBe(`POST /api/v1/me/webhooks/${webhook.id}/rotate-secret?overlap_hours=0`);
  expect((await run('webhooks', 'remove', webhook.url)).out).toBe(`removed ${webhook.url}\n`);
  expect(asked.at(-1)).toBe(`DELETE /api/v1/me/webhooks/${webhook.id}`);
  await ends(run('webhooks', 'remove', 'https://none.example.org/'), 66);
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
    onOut: (text) => (out += text),
    onErr: (text) => (err += text),
  });
  const secret = await eventually('its secret', () => /signed with (whsec_\S+)\n/.exec(err)?.[1]);
  later = [sample, revealed];
  await eventually('both', () => out.split('\n').length > 2);
  end.abort();
  await ran;
  await receiver.stop();
  expect(out).toBe(`500   ${sample.type.padEnd(16)}  ${sample.id}\n204   etch.revealed     ${revealed.id}\n`);
  const check = (key: string, { headers, body }: (typeof got)[number]) =>
    new Webhook(key).verify(body, headers as Record<string, string>);
  for (const one of got) check(secret, one);
  expect(got.map(({ body }) => body)).toEqual([JSON.stringify(sample), JSON.stringify(revealed)]);
  expect(() => check(`whsec_${btoa('another secret of 24 bytes')}`, got[0]!)).toThrow();
});
