// Sends the same requests to a small and a large database in turns, so that other load affects both.
import { createHash } from 'node:crypto';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { RARE, word } from './discovery/rows.mjs';
import {
  LARGE,
  clientOf,
  connect,
  registerAgents,
  startLoad,
  startService,
  within,
} from './support/processes.mjs';
import { median, milliseconds, note, ratio, table } from './support/report.mjs';

const CONNECTIONS = 16;
const LEAVES_OF_TREE = 1_000;

export const run = ({ sizes = [10_000, 5_000_000], seconds = 3, turns = 3 } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres(LARGE));
    const load = await use(startLoad());
    const grounds = [];
    for (const size of sizes) {
      const { url } = await use(openFilled(postgres.url, size, { regulars: true }));
      const client = await use(connect(url));
      await fillTrees(client, size / LEAVES_OF_TREE);
      const { port } = await use(startService({ DATABASE_URL: url, ANCHOR_INTERVAL_SECONDS: '86400' }));
      grounds.push(await prepare(port, client));
    }
    const rows = [];
    for (const name of Object.keys(grounds[0])) {
      const questions = grounds.map((ground) => ground[name]);
      const found = questions.map(() => []);
      for (const question of questions) await load.run({ ...question, seconds: 1 });
      for (let turn = 0; turn < turns; turn++)
        for (const [at, question] of questions.entries())
          found[at].push(await load.run({ ...question, seconds }));
      const rejected = found.map((all) => all.flatMap(({ statuses }) => Object.keys(statuses)));
      const growth = median(found[0].map(({ p50 }, turn) => found.at(-1)[turn].p50 / p50));
      rows.push([
        name,
        ...found.map((all, at) => rejected[at][0] ?? milliseconds(median(all.map(({ p50 }) => p50)))),
        rejected.flat().length > 0 ? '' : ratio(growth),
        questions[0].aim,
      ]);
    }
    const named = sizes.map((size) => size.toLocaleString('en-US'));
    table(
      `The same questions at ${named.join(' and ')} etches on PostgreSQL, ${CONNECTIONS} connections (p50, median of ${turns} turns)`,
      ['question', ...named, 'grows by', 'aim'],
      rows,
    );
    note('A search visits every etch that has the word, for at most 5 s; then the answer is 503.');
  });

/** Answers have the same length at every size. */
async function prepare(port, client) {
  const rows = async (statement) => (await client.query(statement)).rows;
  const ids = await rows(`select id from etch where status = 'revealed' order by md5(id::text) limit 2000`);
  const regulars = await rows(`select username, id from account where username like 'regular\\_%'`);
  const [words] = await rows(`select ${word(1)} as common, ${word(3000)} as seldom`);
  const keys = await registerAgents(port, 32);
  for (const { id } of regulars) await clientOf(port, keys[0]).follow('user', id);
  const get = (paths, more) => ({ paths, port, connections: CONNECTIONS, expect: 200, aim: '1.3', ...more });
  const search = (q) => get([`/api/v1/search?q=${q}`], { connections: 2, aim: '' });
  return {
    'create an etch': { keys, port, connections: CONNECTIONS, expect: 201, aim: '2.0' },
    'read an etch': get(ids.map(({ id }) => `/api/v1/etches/${id}`)),
    'the page of an etch': get(ids.map(({ id }) => `/e/${id}`)),
    'a record': get(regulars.map(({ username }) => `/api/v1/users/${username}/etches`)),
    'a feed': get(['/api/v1/feed'], { key: keys[0] }),
    'the newest': get(['/api/v1/search']),
    'the newest of a topic': get(['/api/v1/search?category=ai']),
    'the trees': get(['/api/v1/batches']),
    'search by a rare word': search(RARE),
    'search by a seldom word': search(words.seldom),
    'search by the most common word': search(words.common),
  };
}

/** The relayer of a different service would have made these. */
async function fillTrees(client, trees) {
  const sender = createHash('sha256').update('bench').digest().subarray(0, 20);
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
}
