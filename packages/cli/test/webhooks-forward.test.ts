import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EVENTS } from '@svc/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { eventExamples } from '../../../testing/clients/example-answers.ts';
import { svc } from '../../../testing/clients/svc.ts';
import { newFolder } from '../../../testing/machine/folder.ts';
import { type LocalServer, startServer } from '../../../testing/machine/server.ts';
import { eventually } from '../../../testing/wait.ts';
import { svcHere } from './support/svc-here.ts';

const sample: any = eventExamples.event;
const HOSTILE =
  '<!channel> <@U1> & @everyone @room *bold* [link](https://evil.example) `x`\n# Title\n\u202eabc';
const eventWith = (id: string, description: string, content: string | null) => ({
  ...sample,
  id,
  type: 'etch.anchored',
  data: { etch: { ...sample.data.etch, status: 'revealed', description, content } },
});
const hostile = eventWith('11111111-2222-4333-8444-000000000001', HOSTILE.slice(0, 80), HOSTILE);
const long = eventWith('11111111-2222-4333-8444-000000000002', '*'.repeat(140), '*'.repeat(3_000));

let events: any[];
let service: LocalServer;
let product: LocalServer;
let got: { method: string; path: string; authorization: string | undefined; body: any }[];
let statuses: number[];
let folder: string;
beforeEach(async () => {
  [events, got, statuses, folder] = [[], [], [], newFolder('forward')];
  service = await startServer((request, response) => {
    const query = new URL(request.url!, service.url).searchParams;
    const from = Number(query.get('cursor') ?? 0);
    const to = Math.min(from + Number(query.get('limit')), events.length);
    const page = { limit: Number(query.get('limit')), has_more: to < events.length, next_cursor: String(to) };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ events: events.slice(from, to), page }));
  });
  product = await startServer((request, response) => {
    void text(request).then((body) => {
      const { method, url, headers } = request;
      got.push({ method: method!, path: url!, authorization: headers.authorization, body: JSON.parse(body) });
      response.writeHead(statuses.shift() ?? 200, { 'retry-after': '0' }).end('ok');
    });
  });
});
afterEach(() => Promise.all([service.stop(), product.stop()]));

const secretPath = '/services/T0/B0/secret';
const file = () => join(folder, 'cursor');
const run = (args: string[], env: Record<string, string> = {}) =>
  svcHere(['webhooks', 'forward', '--once', '--cursor-file', file(), ...args], {
    env: {
      SVC_BASE_URL: service.url,
      SVC_API_KEY: 'svc_sk_test',
      SVC_FORWARD_URL: `${product.url}${secretPath}`,
      ...env,
    },
  });
async function messageOf(event: any, ...args: string[]) {
  writeFileSync(file(), '0\n');
  events = [event];
  await ends(run(args), 0, { out: `200   ${event.type.padEnd(16)}  ${event.id}\n` });
  return got.at(-1)!;
}

describe('a message', () => {
  test('of Slack has its control characters escaped and no formatting', async () => {
    const { method, path, body } = await messageOf(hostile, '--to', 'slack');
    expect([method, path]).toEqual(['POST', secretPath]);
    const { text: words, ...more } = body;
    expect(more).toEqual({ mrkdwn: false, unfurl_links: false, unfurl_media: false });
    expect(words.split('\n')).toHaveLength(3);
    expect(words).toContain('Words: &lt;!channel&gt; &lt;@U1&gt; &amp; @everyone');
    expect(words).toContain('# Title \\u202eabc');
    expect(words).not.toMatch(/[<>]/);
    expect(words).toMatch(
      new RegExp(`^${EVENTS['etch.anchored'].label}: .*\\n.*\\n${sample.data.etch.short_url}$`),
    );
  });

  test('of Discord has its markup escaped, mentions no one, and fits', async () => {
    const { body } = await messageOf(hostile, '--to', 'discord');
    expect(body.allowed_mentions).toEqual({ parse: [] });
    const [title, words, link, ...more] = body.content.split('\n');
    expect(more).toEqual([]);
    expect(words).toContain(String.raw`\<!channel\> \<\@U1\>`);
    expect(words).toContain(String.raw`\*bold\* \[link\]\(https\://evil.example\) \`x\` \# Title`);
    // Each special character of the words follows a backslash.
    expect(`${title} ${words}`.replace(/^[^:]*: |Words: /g, '').replaceAll(/\\./g, '')).not.toMatch(
      /[*_~`|<>@#[\]()]/,
    );
    expect(link).toBe(`<${sample.data.etch.short_url}>`);
    const { body: most } = await messageOf(long, '--to', 'discord');
    expect(most.content.length).toBeLessThan(2_000);
    expect(most.content).toMatch(/…\n<http\S+>$/);
  });

  test('of Matrix is a plain text under the id of its event', async () => {
    const env = { SVC_FORWARD_URL: product.url, SVC_FORWARD_TOKEN: 'syt_token' };
    writeFileSync(file(), '0\n');
    events = [hostile];
    await ends(run(['--to', 'matrix', '--room', '!abc:example.org'], env), 0);
    const { method, path, authorization, body } = got[0]!;
    expect(`${method} ${path}`).toBe(
      `PUT /_matrix/client/v3/rooms/!abc%3Aexample.org/send/m.room.message/${hostile.id}`,
    );
    expect(authorization).toBe('Bearer syt_token');
    expect(body).toEqual({
      msgtype: 'm.notice',
      body: expect.stringContaining('@room *bold*'),
      'm.mentions': {},
    });
  });

  test.each(Object.entries(EVENTS))('names what happened: %s', async (type, { label, schema }) => {
    const data: any = Object.fromEntries(
      Object.keys((schema as any).properties.data.properties).map((name) => [
        name,
        name === 'challenge'
          ? { question: 'Rain?', id: sample.id, url: `https://svc.example.org/ch/${sample.id}` }
          : { ...sample.data.etch, description: 'Rain?', content: name === 'resolution' ? 'yes' : null },
      ]),
    );
    const { body } = await messageOf({ ...sample, type, data }, '--to', 'slack');
    expect(body.text).toMatch(
      new RegExp(`^${label}: Rain\\?\n${data.resolution ? 'Outcome: yes\n' : ''}https?://\\S+$`),
    );
  });
});

test('the first run sends nothing, and each later one what is new', async () => {
  events = [hostile];
  await ends(run(['--to', 'slack']), 0, { out: '' });
  expect([got, readFileSync(file(), 'utf8')]).toEqual([[], '1\n']);
  events.push(long, hostile, { ...long, type: 'etch.retracted' });
  await ends(run(['--to', 'slack', '--types', 'etch.anchored']), 0);
  expect(got).toHaveLength(2);
  await ends(run(['--to', 'slack']), 0, { out: '' });
  expect(readFileSync(file(), 'utf8')).toBe('4\n');
});

test('a message that is not accepted stays for the next run', async () => {
  writeFileSync(file(), '0\n');
  events = [hostile, long];
  statuses = [200, 503];
  await ends(run(['--to', 'slack']), 69, { err: /event \S+2 \(503\); the next run/, without: 'secret' });
  expect(readFileSync(file(), 'utf8')).toBe('1\n');
  statuses = [404];
  await ends(run(['--to', 'slack']), 1, { err: '(404): check SVC_FORWARD_URL', without: 'secret' });
  await ends(run(['--to', 'slack']), 0);
  expect(got.map(({ body }) => body.text.includes('\\*') || body.text.includes('***'))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  await product.stop();
  events.push(hostile);
  await ends(run(['--to', 'slack']), 69, { err: 'ECONNREFUSED', without: 'secret' });
});

test('without --once it waits for events and retries', async () => {
  writeFileSync(join(folder, 'url'), `${product.url}${secretPath}\n`);
  const end = new AbortController();
  let [out, err] = ['', ''];
  const ran = svc(['webhooks', 'forward', '--to', 'slack'], {
    env: { SVC_BASE_URL: service.url, SVC_API_KEY: 'svc_sk_test', SVC_FORWARD_URL_FILE: join(folder, 'url') },
    signal: end.signal,
    onOut: (words) => (out += words),
    onErr: (words) => (err += words),
  });
  await eventually('it waits', () => err.includes('sending events'));
  statuses = [429, 500];
  events = [hostile];
  await eventually('the message', () => out.includes('200 '));
  end.abort();
  await ran;
  expect(got).toHaveLength(3);
  expect(err).toMatch(/\(429\); retrying\n.*\(500\); retrying\n/);
  expect(existsSync(file())).toBe(false);
});

test('names what is missing, and never a secret', async () => {
  const says = (err: string, args: string[], env: Record<string, string> = {}) =>
    ends(run(args, env), 64, { err, without: 'secret' });
  await says('set SVC_FORWARD_URL, or SVC_FORWARD_URL_FILE', ['--to', 'slack'], { SVC_FORWARD_URL: '' });
  await says('not both', ['--to', 'slack'], { SVC_FORWARD_URL_FILE: file() });
  await says('https', ['--to', 'discord'], { SVC_FORWARD_URL: 'http://203.0.113.7/secret' });
  await says('https', ['--to', 'discord'], { SVC_FORWARD_URL: 'secret' });
  await says('SVC_FORWARD_TOKEN', ['--to', 'matrix']);
  await says('--room', ['--to', 'matrix'], { SVC_FORWARD_TOKEN: 'x' });
  await says('slack, discord, matrix', ['--to', 'teams']);
  await ends(svcHere(['webhooks', 'forward', '--to', 'slack', '--once']), 64, { err: '--cursor-file' });
});
