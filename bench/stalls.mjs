// Measures the longest event-loop stall of one request, for the largest request of every route.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addForecasts } from './support/forecaster.mjs';
import { FORM, largeRequests } from './support/large-requests.mjs';
import { MANY, UNANCHORED, clientOf, startGround, tokenOf } from './support/processes.mjs';
import { milliseconds } from './support/report.mjs';
import { insertFullTree } from './support/trees.mjs';

/** The minimum of the rounds is the cost of the request. */
const ROUNDS = 7;
const LEAVES = 10_000;
const ETCHES = 120;
const SETTINGS = {
  ...UNANCHORED,
  GUIDE_ENABLED: 'true',
  GUIDE_READERS: 'ada',
  TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: MANY,
  TEST_LIMIT_MCP_PER_MINUTE: MANY,
  LIMIT_CHALLENGES_PER_DAY: MANY,
  LIMIT_GUIDE_PER_HOUR: MANY,
};

export const aim = `at most 20 ms each; a row is the least of ${ROUNDS} rounds.`;

export async function measure(use) {
  const ground = await startGround(use, { settings: SETTINGS, watched: true, loads: 0, agents: ETCHES });
  const world = await fill(ground);
  const found = [];
  for (const one of largeRequests(world)) {
    // A retraction works once, so each round has its own path.
    const paths = one.name === 'retractEtch' ? world.retractions : Array(ROUNDS).fill(one.path);
    found.push([one.name.slice(0, 80), one.shape, ...(await leastStall(ground, one, paths))]);
  }
  const [, nothing] = await leastStall(ground, undefined, Array(ROUNDS));
  found.sort(([, , , a], [, , , b]) => b - a);
  return {
    table: `The longest stall of the event loop by one request of the largest size, of ${found.length} requests (no request: ${milliseconds(nothing)})`,
    head: ['request', 'shape', 'status', 'stall'],
    rows: found.slice(0, 40).map((row) => [...row.slice(0, 3), milliseconds(row[3])]),
  };
}

async function fill({ port, client, keys }) {
  const root = await addFullTree(client);
  const forecasts = await addForecasts(client);
  const agent = clientOf(port, keys[0]);
  const personKey = await tokenOf(port, 'ada');
  const text = { content: '\u{1f30a}'.repeat(2_000), description: 'the '.repeat(35), category_id: 'science' };
  const etches = [];
  for (let at = 0; at < ETCHES; at++) etches.push((await agent.etch({ ...text, mode: 'instant' })).etch);
  const { challenge } = await agent.createChallenge({
    question: 'q'.repeat(280),
    category_id: 'science',
    reveal_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const entry = { ...text, mode: 'delayed', challenge_id: challenge.id };
  for (const key of keys) await clientOf(port, key).etch(entry);
  for (const { id } of etches)
    for (const reader of [agent, clientOf(port, personKey)]) await reader.follow('etch', id);
  const { username } = await agent.me();
  return {
    ...forecasts,
    root,
    personKey,
    agentKey: keys[0],
    cookie: await signIn(port, 'ada'),
    id: etches[0].id,
    challenge: challenge.id,
    today: new Date().toISOString().slice(0, 10),
    username,
    retractions: etches.slice(-ROUNDS).map(({ id }) => `/api/v1/etches/${id}/retract`),
  };
}

async function addFullTree(client) {
  await client.query(`
    insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, 'instant', 'revealed', sha256(n::text::bytea), '', 'ai', now(), now(), 'x', sha256('')
    from generate_series(1, ${LEAVES}) n`);
  return insertFullTree(client, 'full', `select id from etch where content = 'x'`, { size: LEAVES });
}

/** @returns {Promise<string>} the session's cookie */
async function signIn(port, username) {
  const jar = new Map();
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ');
  const open = async (path, fields) => {
    const form = fields && { ...FORM, method: 'POST', body: String(new URLSearchParams(fields)) };
    const { headers } = await send(port, { path, cookie: cookies(), ...form });
    for (const line of headers.getSetCookie()) jar.set(...line.split(';', 1)[0].split(/=(.*)/s, 2));
    return headers.get('location');
  };
  const form = await open(await open('/sign-in/start?return=/'));
  await open(form);
  await open(await open(await open(form, { username, social_handle: '' })));
  return cookies();
}

/** @returns the last status and the least stall */
async function leastStall({ port, stalled }, one, paths) {
  const stalls = [];
  let status;
  for (const path of paths) {
    await sleep(5);
    await stalled();
    if (one) ({ status } = await send(port, { ...one, path }));
    else await sleep(10);
    if (status === 500) throw new Error(`${one.name}: the service failed, so its answer was not measured`);
    stalls.push(await stalled());
  }
  return [status, Math.min(...stalls)];
}

async function send(port, { method, path, key, cookie, body, headers, type = 'application/json' }) {
  const origin = `http://127.0.0.1:${port}`;
  const answer = await fetch(new URL(path, origin), {
    method,
    body,
    redirect: 'manual',
    headers: {
      accept:
        path === '/mcp' ? 'application/json, text/event-stream' : cookie === undefined ? '*/*' : 'text/html',
      'accept-encoding': 'identity',
      ...(cookie && { cookie }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': type }),
      ...(type !== 'application/json' && { origin }),
      'idempotency-key': randomUUID(),
      // The service may close it.
      connection: 'close',
      ...headers,
    },
  });
  await answer.arrayBuffer();
  return answer;
}
