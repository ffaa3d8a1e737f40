import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ends } from '../../../testing/clients/ends.ts';
import { madeAnswer } from '../../../testing/clients/example-answers.ts';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { useServer } from '../../../testing/machine/server.ts';
import { whyPending, whySealed } from '../src/wait.ts';
import { svcHere } from './support/svc-here.ts';

/** The service does not answer requests for this etch. */
const SILENT = '11111111-2222-4333-8444-555555555555';
const made = madeAnswer({ content: 'High water.', description: 'Tide', category_id: 'other' });
const server = useServer((request, response) => {
  if (request.url!.includes(SILENT)) return;
  const status = { parts: [], anchoring: { ...anchoring, pending: 2 }, relayer: {} };
  const answer = request.url === '/status' ? status : request.method === 'POST' ? made : { etch: made.etch };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
const anchoring = { pending: 0, oldest_pending_seconds: null, open_transactions: 0, failing_since: null };

test.concurrent('stops waiting for the chain after the timeout, and shows the etch and why it waits', async () => {
  const { id, code } = made.etch;
  const env = { SVC_BASE_URL: server.url, SVC_API_KEY: 'svc_sk_test' };
  const wait = ['--wait', '--timeout', '1', '--field', 'etch.id'];
  await ends(svcHere(['etch', 'High water.', '--description', 'Tide', ...wait], { env }), 2, {
    out: new RegExp(`^${id}\\n$`),
    err: [
      'waiting for the chain, at most 1 seconds',
      'not anchored yet: 2 etches waiting for the next tree\n',
      `Not anchored within 1 seconds. The etch exists and will be anchored; wait with: svc watch ${code}`,
    ],
  });
  await ends(svcHere(['watch', id, '--timeout', '1', '--json'], { env }), 2, {
    err: '2 etches waiting',
    json: { error: { code: 'timeout' } },
  });
});

test.concurrent('stops waiting for a service that does not answer', async () => {
  const env = { SVC_BASE_URL: server.url };
  await ends(svcHere(['watch', SILENT, '--timeout', '1', '--json'], { env }), 2, {
    json: { error: { code: 'timeout', exit_status: 2 } },
  });
});

/** Unreferenced timers: without a handle nothing keeps Node.js waiting. */
const NO_HANDLE = `
  const { setTimeout: start } = globalThis;
  globalThis.setTimeout = (...given) => start(...given).unref();
  globalThis.fetch = () => new Promise(() => undefined);
`;

test('ends with 70 and a message when the command did not finish', async () => {
  const home = freshHome();
  const preload = join(home, 'no-handle.mjs');
  writeFileSync(preload, NO_HANDLE);
  const env = { NODE_OPTIONS: `--import=${preload}`, SVC_API_KEY: 'svc_sk_test' };
  await ends(svc(['whoami'], { home, env }), 70, { out: '', err: 'svc: ended before the command was done' });
});

describe('says why an etch is not anchored yet:', () => {
  const pending = (status: string) => ({ chain: { status } }) as Parameters<typeof whyPending>[0];
  const fares = { parts: [{ name: 'chain', ok: true }], relayer: { health: 'ok' } };
  const with_ = (more: object) => ({ ...fares, anchoring: { ...anchoring, ...more } });
  const confirming = { transactions: 1, seen: 3, needed: 12 };
  const safe = { transactions: 2, seen: null, needed: 'safe' };
  const failing = '2030-01-01T00:00:00.000Z';

  test.each<[string, unknown]>([
    ['waiting for the service’s next tree', undefined],
    ['waiting for the service’s next tree', [7]],
    ['1 etch waiting for the next tree', with_({ pending: 1 })],
    ['2 trees sent to the chain, waiting for a block', with_({ pending: 3, open_transactions: 2 })],
    [
      '1 tree in a block of the chain, 3 confirmations seen, 12 needed',
      with_({ open_transactions: 2, confirming }),
    ],
    ['2 trees in a block of the chain, until the chain calls it safe', with_({ confirming: safe })],
    [`anchoring has failed since ${failing}; the service retries`, with_({ failing_since: failing })],
    ['the service is catching up with its chain', with_({ pending: 1, catching_up: true })],
    ['the service’s relayer has no money left', { ...fares, relayer: { health: 'empty' } }],
    ['the service cannot reach its chain', { ...fares, parts: [{ name: 'chain', ok: false }] }],
  ])('%s', (words, said) => {
    expect(whyPending(pending('pending'), said)).toContain(`not anchored yet: ${words}`);
  });

  test('the service retries after a failed attempt', () => {
    expect(whyPending(pending('failed'), fares)).toContain('the service retries');
  });
});

test('says why an etch is not revealed yet', () => {
  const due = '2030-01-04T05:00:00.000Z';
  for (const [time, words] of [
    ['2030-01-01T00:00:00Z', `sealed, not due yet: it opens at ${due}, in 3 days`],
    ['2030-01-04T01:30:00Z', 'in 3 hours'],
    ['2030-01-04T04:30:00Z', 'in 30 minutes'],
    ['2030-01-04T04:59:58Z', 'in seconds'],
    ['2030-01-04T05:00:01Z', `due since ${due}`],
  ] as const)
    expect(whySealed({ status: 'sealed', reveal_at: due }, Date.parse(time)), time).toContain(words);
});
