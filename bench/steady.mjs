// The same questions on a small and a large database.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { RARE, word } from './discovery/rows.mjs';
import { post, registerAgents, startLoad, startService } from './support/processes.mjs';
import { median, milliseconds, note, ratio, table } from './support/report.mjs';

const CONNECTIONS = 16;
const LEAVES_OF_TREE = 1_000;

export async function run({ sizes = [10_000, 1_000_000], seconds = 3, turns = 3 } = {}) {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const load = startLoad();
  const closing = [() => postgres.stop(), () => load.stop()];
  try {
    const grounds = [];
    for (const size of sizes) {
      const opened = await openFilled(postgres.url, size, { regulars: true });
      closing.push(() => opened.close());
      await fillTrees(opened.url, size / LEAVES_OF_TREE);
      const service = await startService({ DATABASE_URL: opened.url, ANCHOR_INTERVAL_SECONDS: '86400' });
      closing.push(() => service.stop());
      grounds.push(await prepare(service.port, opened.url));
    }
    const rows = [];
    // Other load affects every size.
    for (const name of Object.keys(grounds[0])) {
      const questions = grounds.map((ground) => ground[name]);
      const found = questions.map(() => ({ p50: [], refused: new Set() }));
      for (const question of questions) await load.run({ ...question, seconds: 1 });
      for (let turn = 0; turn < turns; turn++) {
        for (const [at, question] of questions.entries()) {
          const { p50, statuses } = await load.run({ ...question, seconds });
          found[at].p50.push(p50);
          for (const status of Object.keys(statuses)) found[at].refused.add(status);
        }
      }
      const [few, many] = [found[0], found.at(-1)];
      const growth = median(few.p50.map((first, turn) => many.p50[turn] / first));
      const isCompared = few.refused.size + many.refused.size === 0;
      rows.push([name, ...found.map(timeOf), isCompared ? ratio(growth) : '', questions[0].aim]);
    }
    const named = sizes.map((size) => size.toLocaleString('en-US'));
    table(
      `The same questions at ${named.join(' and ')} etches on PostgreSQL, ${CONNECTIONS} connections (p50, median of ${turns} turns)`,
      ['question', ...named, 'grows by', 'aim'],
      rows,
    );
    note(
      '\nWhat asks for a common word looks at as many etches as hold it, for at most 5 s: then it is answered 503.',
    );
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

/** Limits are off. */
const timeOf = ({ p50, refused }) =>
  refused.size > 0 ? `refused (${[...refused].join(', ')})` : milliseconds(median(p50));

/** Answers have the same length. */
async function prepare(port, databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rows = async (statement) => (await client.query(statement)).rows;
  const ids = await rows(`select id from etch where status = 'revealed' order by md5(id::text) limit 2000`);
  const regulars = await rows(`select username, id from account where username like 'regular\\_%'`);
  const [words] = await rows(`select ${word(1)} as common, ${word(3000)} as seldom`);
  await client.end();
  const keys = await registerAgents(port, 32);
  for (const { id } of regulars)
    await post(port, '/api/v1/follows', { target_type: 'user', target_id: id }, keys[0]);

  const get = (paths, more) => ({
    kind: 'get',
    paths,
    port,
    connections: CONNECTIONS,
    expect: 200,
    aim: '1.3',
    ...more,
  });
  const searched = { connections: 2, aim: '' };
  return {
    'create an etch': { kind: 'create', keys, port, connections: CONNECTIONS, expect: 201, aim: '2.0' },
    'read an etch': get(ids.map(({ id }) => `/api/v1/etches/${id}`)),
    'the page of an etch': get(ids.map(({ id }) => `/e/${id}`)),
    'a record': get(regulars.map(({ username }) => `/api/v1/users/${username}/etches`)),
    'a feed': get(['/api/v1/feed'], { key: keys[0] }),
    'the newest': get(['/api/v1/search']),
    'the newest of a topic': get(['/api/v1/search?category=ai']),
    'the trees': get(['/api/v1/batches']),
    'search by a rare word': get([`/api/v1/search?q=${RARE}`], searched),
    'search by a seldom word': get([`/api/v1/search?q=${words.seldom}`], searched),
    'search by the most common word': get([`/api/v1/search?q=${words.common}`], searched),
  };
}

/** Stages trees as another service's relayer would. */
async function fillTrees(url, trees) {
  const sender = createHash('sha256').update('bench').digest().subarray(0, 20);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at, tx_hash, block_number, block_hash, block_time)
     select $1::bytea, n, 'attest', '\\x', 'FINAL', now(), now(), sha256(('tx' || n)::bytea), n, sha256(('block' || n)::bytea), now()
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
