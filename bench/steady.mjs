// What grows with the number of etches, and what does not: a service on a database with few and with many, asked the same.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { RARE, word } from './discovery/rows.mjs';
import { post, registerAgents, startLoad, startService } from './support/processes.mjs';
import { milliseconds, note, ratio, table } from './support/report.mjs';

const CONNECTIONS = 16;
const LEAVES_OF_TREE = 1_000;

export async function run({ sizes = [10_000, 1_000_000], seconds = 5 } = {}) {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const found = [];
  try {
    for (const size of sizes) {
      const opened = await openFilled(postgres.url, size);
      try {
        await fillTrees(opened.url, size / LEAVES_OF_TREE);
        found.push(await measure(opened.url, seconds));
      } finally {
        await opened.close();
      }
    }
  } finally {
    await postgres.stop();
  }
  const [first] = found;
  table(
    `The same questions at ${sizes.map((size) => size.toLocaleString('en-US')).join(' and ')} etches on PostgreSQL, ${CONNECTIONS} connections (medians)`,
    ['question', ...sizes.map((size) => size.toLocaleString('en-US')), 'grows by', 'aim'],
    [...first].map(([name, { p50, aim }]) => {
      const all = found.map((of) => of.get(name).p50);
      return [name, ...all.map(milliseconds), ratio(all.at(-1) / p50), aim];
    }),
  );
  note(
    '\nWhat asks for a common word looks at as many etches as hold it, up to SEARCH_TIMEOUT_MS: then it is answered 503.',
  );
}

async function measure(databaseUrl, seconds) {
  const service = await startService({ DATABASE_URL: databaseUrl, ANCHOR_INTERVAL_SECONDS: '86400' });
  const load = startLoad();
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { port } = service;
    const keys = await registerAgents(port, 32);
    const ask = (paths, more) =>
      load.run({ kind: 'get', paths, port, connections: CONNECTIONS, seconds, expect: 200, ...more });
    const rows = async (statement) => (await client.query(statement)).rows;
    const ids = await rows(`select id from etch where status = 'revealed' order by md5(id::text) limit 2000`);
    const authors = await rows(
      `select username, id from account where username like 'agent\\_0000%' order by md5(id::text) limit 50`,
    );
    const [words] = await rows(`select ${word(1)} as common, ${word(3000)} as seldom`);
    for (const { id } of authors.slice(0, 20))
      await post(port, '/api/v1/follows', { target_type: 'user', target_id: id }, keys[0]);

    const questions = {
      'create an etch': [{ kind: 'create', keys, expect: 201 }, undefined, '2.0'],
      'read an etch': [{}, ids.map(({ id }) => `/api/v1/etches/${id}`), '1.3'],
      'the page of an etch': [{}, ids.map(({ id }) => `/e/${id}`), '1.3'],
      'a record': [{}, authors.map(({ username }) => `/api/v1/users/${username}/etches`), '1.3'],
      'a feed': [{ key: keys[0] }, ['/api/v1/feed'], '1.3'],
      'the newest': [{}, ['/api/v1/search'], '1.3'],
      'the newest of a topic': [{}, ['/api/v1/search?category=ai'], '1.3'],
      'the trees': [{}, ['/api/v1/batches'], '1.3'],
      'search by a rare word': [{ connections: 2 }, [`/api/v1/search?q=${RARE}`], ''],
      'search by a seldom word': [{ connections: 2 }, [`/api/v1/search?q=${words.seldom}`], ''],
      'search by the most common word': [{ connections: 2 }, [`/api/v1/search?q=${words.common}`], ''],
    };
    const found = new Map();
    for (const [name, [more, paths, aim]] of Object.entries(questions)) {
      await ask(paths, { ...more, seconds: 1 });
      const { p50, refused } = await ask(paths, more);
      if (refused > 0) note(`${name}: ${refused} were refused`);
      found.set(name, { p50, aim });
    }
    return found;
  } finally {
    await client.end();
    load.stop();
    await service.stop();
  }
}

/** Trees in the list, of a relayer that is not ours. */
async function fillTrees(url, trees) {
  const sender = createHash('sha256').update('bench').digest().subarray(0, 20);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into anchor_tx (sender, nonce, action, calldata, state, not_before, sealed_at, tx_hash, block_number, block_hash, block_time)
     select $1::bytea, n, 'attest', '\\x', 'SAFE', now(), now(), sha256(('tx' || n)::bytea), n, sha256(('block' || n)::bytea), now()
     from generate_series(1, $2::int) n`,
    [sender, Math.ceil(trees)],
  );
  await client.query(
    `insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
     select id, 0, 0, 2, sha256(('root' || nonce)::bytea), ${LEAVES_OF_TREE}, sha256(('uid' || nonce)::bytea), date_trunc('second', now()) - nonce * interval '1 second'
     from anchor_tx`,
  );
  await client.query('vacuum analyze batch');
  await client.end();
}
