import type { IncomingHttpHeaders } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { startServer } from '../testing/machine/server.ts';
import { AT_FULL_COUNT } from '../testing/rounds.ts';
import { allAnchored } from '../testing/system/settled.ts';
import type { Json } from '../testing/json.ts';
import { Load } from '../testing/system/load.ts';
import { notePrinted } from '../testing/system/secrets.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const ground = useGround();
const TOKEN = 'collector-token-41c9';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
}

async function startCollector() {
  const seen = { spans: [] as Span[], headers: [] as IncomingHttpHeaders[], paths: new Set(), text: '' };
  const { url, stop } = await startServer((request, response) => {
    void bodyOf(request).then((body) => {
      seen.text += body;
      seen.paths.add(request.url!);
      seen.headers.push(request.headers);
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) seen.spans.push(...(scope.spans as Span[]));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  return { url, stop, seen };
}

const attribute = (span: Span, key: string): unknown => {
  const value = span.attributes.find((candidate) => candidate.key === key)?.value;
  return value?.stringValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};

async function read(world: World, path: string, accept = '*/*') {
  const answer = await fetch(world.url + path, { headers: { accept } });
  const text = await answer.text();
  notePrinted(text);
  return { status: answer.status, type: answer.headers.get('content-type'), text };
}

const statusOf = async (world: World): Promise<Json> =>
  JSON.parse((await read(world, '/status', 'application/json')).text);

let world: World;
let collector: Awaited<ReturnType<typeof startCollector>>;
beforeAll(async () => {
  collector = ground.keep(await startCollector());
  world = ground.keep(
    await postgresWorld(ground, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    }),
  );
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const etch = await load.etch({ mode: 'instant', reveal_at: null });
  await load.retract(etch);
  await allAnchored(world, load.wanted);
});

test('/metrics counts requests, anchoring, the database and the chain', async () => {
  await fetch(`${world.url}/api/v1/challenges`);
  await fetch(`${world.url}/api/v1/nowhere`);
  await fetch(`${world.url}/verify`);
  const { text, type } = await eventually('what the relayer spends is known', async () => {
    const answer = await read(world, '/metrics');
    return /^svc_relayer_balance_seconds \d/m.test(answer.text) && answer;
  });
  expect(type).toContain('text/plain');
  for (const line of [
    /^svc_request_seconds_count\{operation="listChallenges",status="200"\} 1$/m,
    /^svc_request_seconds_count\{operation="other",status="404"\} 1$/m,
    /^svc_request_seconds_count\{operation="\/verify",status="200"\} 1$/m,
    /^svc_anchor_pending 0$/m,
    /^svc_anchor_batches\{kind="commitment"\} [1-9]/m,
    /^svc_anchor_batches\{kind="retraction"\} [1-9]/m,
    /^svc_anchor_gas [1-9]/m,
    /^svc_ready\{part="database"\} 1$/m,
    /^svc_db_connections\{pool="main",state="idle"\} \d/m,
    /^svc_chain_requests_total\{question="send",outcome="ok"\} [1-9]/m,
  ])
    expect(text).toMatch(line);
  expect(Number(/^svc_relayer_balance_ether (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
});

test('/status shows the last tree, the queue and the relayer, as a page and as data', async () => {
  const status = await statusOf(world);
  expect(status).toMatchObject({
    status: 'operational',
    anchoring: {
      pending: 0,
      oldest_pending_seconds: null,
      open_transactions: 0,
      confirming: null,
      failing_since: null,
      catching_up: false,
    },
    relayer: { health: 'ok' },
  });
  const { batches } = (await world.client.call('GET', '/api/v1/batches')).body;
  expect(status.last_batch).toEqual(batches[0]);
  expect(status.days).toHaveLength(30);
  const anchored = status.days.reduce((sum: number, day: { anchored: number }) => sum + day.anchored, 0);
  expect(anchored).toBe(
    batches.reduce((sum: number, batch: { tree_size: number }) => sum + batch.tree_size, 0),
  );
  const page = await read(world, '/status', 'text/html');
  expect(page.type).toContain('text/html');
  expect(page.text).toContain('This service works');
  for (const group of (status.last_batch.root as string).match(/.{8}/g)!) expect(page.text).toContain(group);
});

test('sends requests, statements and chain reads to a collector, without their contents', async () => {
  const [agent] = await world.agents(1);
  const load = new Load({ client: world.client, agents: [agent!] });
  const instant = await load.etch({ mode: 'instant', reveal_at: null });
  await load.etch({ mode: 'delayed', reveal_at: new Date(Date.now() + 86_400_000).toISOString() });
  await allAnchored(world, load.wanted);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await world.client.call('GET', `/api/v1/verify/${instant.id}`, {
    headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  await world.client.call('GET', `/api/v1/search?q=${encodeURIComponent('canary-0f7e')}`);
  await world.client.call('GET', `/e/${instant.id}`);
  await load.retract(instant);
  expect(await world.service.stop()).toEqual({ code: 0, signal: null });

  const { spans, text, paths, headers } = collector.seen;
  const named = (name: string): Span[] => spans.filter((span) => span.name === name);
  const partsOf = (span: Span): Span[] => {
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId);
    return [...parts, ...parts.flatMap(partsOf)];
  };
  const [verify] = named('verifyEtch');
  expect(verify).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(attribute(verify!, 'http.response.status_code')).toBe(200);
  expect(partsOf(verify!).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['db.statement', 'chain.attestation']),
  );
  const [create] = named('createEtch');
  const statements = partsOf(create!).map((span) => attribute(span, 'db.operation.name'));
  expect(partsOf(create!).map(({ name }) => name)).toContain('db.transaction');
  expect(statements).toContain('insert');
  expect(named('/e/:name').length + named('/e/:id').length).toBeGreaterThan(0);

  // useGround searches it for secrets.
  notePrinted(text);
  const { userId, username } = agent!;
  for (const held of [instant.id!, userId, username, instant.idempotencyKey, '127.0.0.1', 'select '])
    expect(text).not.toContain(held);
  expect([...paths]).toEqual(['/v1/traces']);
  expect(headers.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true);
  expect(world.service.output()).not.toContain(TOKEN);
});

/** Runs first in the process and reports which modules of the exporter are imported. */
const SAYS_WHAT_IS_LOADED = `
  import { register } from 'node:module';
  const hooks = \`export async function resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/exporter')) console.log('asked for ' + specifier);
    return next(specifier, context);
  }\`;
  register('data:text/javascript,' + encodeURIComponent(hooks));`;

if (AT_FULL_COUNT)
  test('works without the collector, and loads no exporter if none is set', async () => {
    const collector = await startCollector();
    await collector.stop();
    const world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain: ground.chain }));
    const traced = await world.start(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      { preload: SAYS_WHAT_IS_LOADED },
    );
    const load = new Load({ client: world.client, agents: await world.agents(1) });
    await load.etch();
    expect(load.faults).toEqual([]);
    expect(await traced.stop()).toEqual({ code: 0, signal: null });
    expect(traced.output()).toContain('asked for @opentelemetry/exporter');

    const untraced = await world.start({}, { preload: SAYS_WHAT_IS_LOADED });
    await load.etch();
    expect(await untraced.stop()).toEqual({ code: 0, signal: null });
    expect(untraced.output()).not.toContain('asked for @opentelemetry');
  });
