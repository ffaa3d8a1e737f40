// Sends the same requests to a small and a large database in turns, so that other load affects both.
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { RARE, word } from './discovery/rows.mjs';
import { LARGE, UNANCHORED, clientOf, startGround, startLoad, within } from './support/processes.mjs';
import { median, milliseconds, note, ratio, table } from './support/report.mjs';
import { insertTrees } from './support/trees.mjs';

const CONNECTIONS = 16;
const LEAVES_OF_TREE = 1_000;

export const run = ({ sizes = [10_000, 5_000_000], seconds = 3, turns = 3 } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres(LARGE));
    const load = await use(startLoad());
    const grounds = [];
    for (const size of sizes) {
      const { url } = await use(openFilled(postgres.url, size, { regulars: true }));
      const ground = await startGround(use, { url, settings: UNANCHORED, loads: 0, agents: 32 });
      await insertTrees(ground.client, 'bench', {
        trees: Math.ceil(size / LEAVES_OF_TREE),
        size: LEAVES_OF_TREE,
        at: `date_trunc('second', now()) - n * interval '1 second'`,
      });
      await ground.client.query('vacuum analyze batch');
      grounds.push(await questions(ground));
    }
    const rows = [];
    for (const name of Object.keys(grounds[0])) {
      const asked = grounds.map((ground) => ground[name]);
      const found = asked.map(() => []);
      for (const question of asked) await load.run({ ...question, seconds: 1 });
      for (let turn = 0; turn < turns; turn++)
        for (const [at, question] of asked.entries())
          found[at].push(await load.run({ ...question, seconds }));
      const rejected = found.map((all) => all.flatMap(({ statuses }) => Object.keys(statuses)));
      const growth = median(found[0].map(({ p50 }, turn) => found.at(-1)[turn].p50 / p50));
      rows.push([
        name,
        ...found.map((all, at) => rejected[at][0] ?? milliseconds(median(all.map(({ p50 }) => p50)))),
        rejected.flat().length > 0 ? '' : ratio(growth),
        asked[0].aim,
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
async function questions({ port, client, keys }) {
  const rows = async (statement) => (await client.query(statement)).rows;
  const ids = await rows(`select id from etch where status = 'revealed' order by md5(id::text) limit 2000`);
  const regulars = await rows(`select username, id from account where username like 'regular\\_%'`);
  const [words] = await rows(`select ${word(1)} as common, ${word(3000)} as seldom`);
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
