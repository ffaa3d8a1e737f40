// Measures the longest event-loop stall of one request, for the largest request of every route.
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addForecasts } from './support/forecaster.mjs';
import { largeRequests } from './support/large-requests.mjs';
import { MANY, UNANCHORED, clientOf, startGround, tokenOf, within } from './support/processes.mjs';
import { milliseconds, note, table } from './support/report.mjs';
import { insertFullTree } from './support/trees.mjs';

/** The minimum of the rounds is the cost of the request. */
const ROUNDS = 7;
const ALLOWED = 20;
const LEAVES = 10_000;
const ETCHES = 120;

export const run = ({ rounds = ROUNDS } = {}) =>
  within(async (use) => {
    const settings = {
      ...UNANCHORED,
      GUIDE_ENABLED: 'true',
      GUIDE_READERS: 'ada',
      TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: MANY,
      TEST_LIMIT_MCP_PER_MINUTE: MANY,
      LIMIT_CHALLENGES_PER_DAY: MANY,
      LIMIT_GUIDE_PER_HOUR: MANY,
    };
    const ground = await startGround(use, { settings, watched: true, loads: 0, agents: ETCHES });
    const world = await fill(ground);
    const asked = largeRequests(world);
    // A retraction works once, so each round has its own path.
    asked.find(({ name }) => name === 'retractEtch').paths = world.etches
      .slice(-rounds)
      .map(({ id }) => `/api/v1/etches/${id}/retract`);
    const found = [];
    for (const one of asked) found.push({ ...one, ...(await leastStall(ground, one, rounds)) });
    const { least: nothing } = await leastStall(ground, undefined, rounds);
    found.sort((a, b) => b.least - a.least);
    table(
      `The longest stall of the event loop by one request of the largest size, of ${found.length} requests (no request: ${milliseconds(nothing)})`,
      ['request', 'shape', 'status', 'stall'],
      found
        .slice(0, 40)
        .map((row) => [row.name.slice(0, 80), row.shape, row.status, milliseconds(row.least)]),
    );
    const over = found.filter(({ least }) => least > ALLOWED).length;
    note(`Aim: at most ${ALLOWED} ms each. ${over} take longer; each is the least of ${rounds} rounds.`);
  });

async function fill({ port, client, keys }) {
  const root = await addFullTree(client);
  const { forecaster, answered } = await addForecasts(client);
  const [agent, other] = keys.slice(0, 2).map((key) => clientOf(port, key));
  const person = await tokenOf(port, 'ada');
  const text = { content: '\u{1f30a}'.repeat(2_000), description: 'the '.repeat(35), category_id: 'science' };
  // Each character is written as a number.
  const unseen = { ...text, content: '\u200d'.repeat(2_000), description: `${'\u200d'.repeat(137)}the` };
  const etches = [];
  for (let at = 0; at < ETCHES; at++) etches.push((await agent.etch({ ...text, mode: 'instant' })).etch);
  for (let at = 0; at < ETCHES; at++) etches.unshift((await other.etch({ ...unseen, mode: 'instant' })).etch);
  const { challenge } = await agent.createChallenge({
    question: 'q'.repeat(280),
    category_id: 'science',
    reveal_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const entry = { ...text, mode: 'delayed', challenge_id: challenge.id };
  for (const key of keys) await clientOf(port, key).etch(entry);
  for (const { id } of etches)
    for (const reader of [agent, clientOf(port, person)]) await reader.follow('etch', id);
  const names = { author: (await agent.me()).username, unseen: (await other.me()).username, forecaster };
  const today = new Date().toISOString().slice(0, 10);
  const ids = { id: etches[0].id, challenge: challenge.id, username: names.author, today, root };
  const cookie = await signIn(port, 'ada');
  return { keys: { agent: keys[0], person }, cookie, etches, names, answered, ids };
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
  const origin = `http://127.0.0.1:${port}`;
  const jar = new Map();
  const cookies = () => [...jar].map((pair) => pair.join('=')).join('; ');
  const open = async (path, form) => {
    const response = await fetch(new URL(path, origin), {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: cookies(), ...(form && { origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) jar.set(...line.split(';', 1)[0].split(/=(.*)/s, 2));
    return response.headers.get('location');
  };
  const form = await open(await open('/sign-in/start?return=/'));
  await open(form);
  await open(await open(await open(form, { username, social_handle: '' })));
  return cookies();
}

async function leastStall({ port, stalled }, one, rounds) {
  const stalls = [];
  let status;
  for (let round = 0; round < rounds; round++) {
    await sleep(5);
    await stalled();
    if (one === undefined) await sleep(10);
    else status = await send(port, { ...one, path: one.paths?.[round] ?? one.path });
    if (status === 500) throw new Error(`${one.name}: the service failed, so its answer was not measured`);
    stalls.push(await stalled());
  }
  return { least: Math.min(...stalls), status };
}

/** Uses a new connection, because the service may close it. */
function send(port, { method, path, key, cookie, body, headers, type = 'application/json' }) {
  const all = {
    ...(key && { authorization: `Bearer ${key}` }),
    ...(cookie && { cookie, accept: 'text/html' }),
    ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    ...(path === '/mcp' && { accept: 'application/json, text/event-stream' }),
    ...(type !== 'application/json' && { origin: `http://127.0.0.1:${port}` }),
    'idempotency-key': randomUUID(),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, agent: false, headers: all }, (response) =>
      response.resume().on('end', () => resolve(response.statusCode)),
    )
      .on('error', reject)
      .end(body);
  });
}
