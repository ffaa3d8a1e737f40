// The longest event-loop stall of one request, for the largest request of every route.
import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { forecaster } from './support/forecaster.mjs';
import { largeRequests } from './support/large-requests.mjs';
import { otherRequests } from './support/other-requests.mjs';
import { post, registerAgents } from './support/processes.mjs';
import { milliseconds, note, table } from './support/report.mjs';
import { signIn } from './support/sign-in.mjs';
import { startWatchedService } from './support/watched-service.mjs';

/** The minimum is the cost of the request. */
const ROUNDS = 7;
const ALLOWED = 20;
const MANY = '1000000000';
const LEAVES = 10_000;

export async function run() {
  const postgres = await startPostgres();
  const service = await startWatchedService({
    DATABASE_URL: postgres.url,
    ANCHOR_INTERVAL_SECONDS: '86400',
    GUIDE_ENABLED: 'true',
    GUIDE_READERS: 'ada',
    LIMIT_GUIDE_PER_HOUR: MANY,
    TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: MANY,
    LIMIT_CHALLENGES_PER_DAY: MANY,
    LIMIT_RPC_PER_MINUTE: MANY,
    TEST_LIMIT_MCP_PER_MINUTE: MANY,
  });
  try {
    const world = {
      ...(await fill(service.port, await fullTree(postgres.url))),
      ...(await forecaster(postgres.url)),
    };
    const asked = [...largeRequests(world), ...(await otherRequests(world))];
    const retraction = asked.find(({ name }) => name === 'retractEtch');
    retraction.paths = world.etches.slice(-ROUNDS).map(({ id }) => `/api/v1/etches/${id}/retract`);
    const found = [];
    for (const one of asked) found.push({ ...one, ...(await leastStall(service, one)) });
    print(found, await idle(service));
  } finally {
    await service.stop();
    await postgres.stop();
  }
}

/** With a full tree, long texts, and a large challenge. */
async function fill(port, root) {
  const keys = await registerAgents(port, 120);
  const [key] = keys;
  const text = '\u{1f30a}'.repeat(2_000);
  const etches = [];
  for (let index = 0; index < 120; index++)
    etches.push(
      await etch(port, keys[0], { content: text, description: 'the '.repeat(35), mode: 'instant' }),
    );
  // Each character is written as a number.
  const unseen = '\u200d'.repeat(2_000);
  for (let index = 0; index < 120; index++)
    etches.unshift(
      await etch(port, keys[1], {
        content: unseen,
        description: '\u200d'.repeat(137) + 'the',
        mode: 'instant',
      }),
    );
  const { challenge } = await post(
    port,
    '/api/v1/challenges',
    { question: 'q'.repeat(280), category_id: 'science', reveal_at: inADay() },
    key,
  );
  for (const entrant of keys)
    await etch(port, entrant, { content: text, mode: 'delayed', challenge_id: challenge.id });
  for (const { id } of etches)
    await post(port, '/api/v1/follows', { target_type: 'etch', target_id: id }, key);
  const answers = Array.from({ length: 60 }, () => ({ question: 'trust', answer: 'x'.repeat(4_000) }));
  for (let sent = 0; sent < 3; sent++) await post(port, '/api/v1/guide/answers', { answers }, key);
  const { user } = await get(port, '/api/v1/me', key);
  const { user: unseenUser } = await get(port, '/api/v1/me', keys[1]);
  const { access_token: person } = await post(port, '/identity/dev-token', { username: 'ada' });
  for (const { id } of etches)
    await post(port, '/api/v1/follows', { target_type: 'etch', target_id: id }, person);
  return {
    keys: { agent: key, person },
    cookie: await signIn(port, 'ada'),
    etches,
    challenge,
    username: user.username,
    today: new Date().toISOString().slice(0, 10),
    unseen: unseenUser.username,
    ids: {
      id: etches[0].id,
      'getChallenge.id': challenge.id,
      username: user.username,
      today: new Date().toISOString().slice(0, 10),
      root,
    },
  };
}

/** As once anchored. */
async function fullTree(url) {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  const root = randomBytes(32);
  try {
    const { rows: etches } = await database.query(
      `insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, revealed_at, content, salt)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid()::text, 'instant', 'revealed', sha256(n::text::bytea), '', 'ai', now(), now(), 'x', $1
       from generate_series(1, ${LEAVES}) n returning id`,
      [root],
    );
    const { rows: txs } = await database.query(
      `insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at, tx_hash)
       values ($1, 0, 'attest', '', 'FINAL', now(), now(), $2) returning id`,
      [root.subarray(12), root],
    );
    const { rows: batches } = await database.query(
      `insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
       values ($1, 0, 0, 2, $2, ${LEAVES}, $2, now()) returning id`,
      [txs[0].id, root],
    );
    await database.query(
      `insert into batch_leaf (batch_id, kind, etch_id, proof) select $1, 0, id, '' from unnest($2::uuid[]) v (id)`,
      [batches[0].id, etches.map(({ id }) => id)],
    );
    return root.toString('hex');
  } finally {
    await database.end();
  }
}

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();

async function etch(port, key, fields) {
  const answer = await post(
    port,
    '/api/v1/etches',
    {
      description: 'x',
      category_id: 'science',
      ...(fields.mode === 'delayed' && { reveal_at: inADay() }),
      ...fields,
    },
    key,
  );
  return answer.etch;
}

async function get(port, path, key) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
  });
  return response.json();
}

async function leastStall({ port, stalled }, one) {
  let least = Infinity;
  let status;
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(5);
    await stalled();
    // Works only once: a path per round.
    const path = one.paths?.[round] ?? one.path;
    status = await send(port, { ...one, path });
    if (status === 500)
      throw new Error(`${one.name}: the service failed, so that its answer was not measured`);
    least = Math.min(least, await stalled());
  }
  return { least, status };
}

async function idle({ stalled }) {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    await stalled();
    await sleep(10);
    least = Math.min(least, await stalled());
  }
  return least;
}

/** The service may close a rejected request's connection. */
function send(port, { method, path, key, cookie, body, headers, type = 'application/json' }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, method, path, agent: false },
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(cookie && { cookie, accept: 'text/html' }),
          ...(body !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
          ...(method === 'POST' && path === '/mcp' && { accept: 'application/json, text/event-stream' }),
          ...(type !== 'application/json' && { origin: `http://127.0.0.1:${port}` }),
          'idempotency-key': randomUUID(),
          ...headers,
        },
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode)),
    );
    sent.on('error', reject).end(body);
  });
}

function print(found, nothing) {
  const worst = new Map();
  for (const one of found) if (!(worst.get(one.name)?.least >= one.least)) worst.set(one.name, one);
  const rows = [...worst.values()].sort((a, b) => b.least - a.least);
  table(
    `The longest standstill of the event loop by one request of the largest size (nothing asked: ${milliseconds(nothing)})`,
    ['operation', 'its worst shape', 'status', 'stands still', 'of 20 ms'],
    rows.map((row) => [
      row.name,
      row.shape,
      row.status,
      milliseconds(row.least),
      (row.least / ALLOWED).toFixed(2),
    ]),
  );
  const over = found.filter(({ least }) => least > ALLOWED);
  note(
    `\nAim: at most ${ALLOWED} ms each. ${over.length} of ${found.length} requests take longer; each is the least of ${ROUNDS}.`,
  );
  for (const row of over) note(`- ${row.name}, ${row.shape}: ${milliseconds(row.least)}`);
}
