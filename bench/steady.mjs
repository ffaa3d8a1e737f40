// Sends the same requests to a small and a large database in turns, so that other load affects both.
import { REGULARS } from './support/etches.mjs';
import { UNANCHORED, clientOf, startFilled, startGround, startLoad } from './support/processes.mjs';
import { count, inTurns, median, milliseconds, ratio } from './support/report.mjs';
import { insertTrees } from './support/trees.mjs';

const SIZES = [10_000, 5_000_000];
const TURNS = 3;
const CONNECTIONS = 16;
const LEAVES_OF_TREE = 1_000;

export const aim = 'creating takes at most 2.0 times as long, every other question 1.3 times.';

export async function measure(use) {
  const load = await use(startLoad());
  const grounds = [];
  for (const size of SIZES) {
    const postgres = await startFilled(use, size);
    const ground = await startGround(use, { postgres, settings: UNANCHORED, loads: 0, agents: 32 });
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
    const jobs = grounds.map((questions) => questions[name]);
    for (const job of jobs) await load.run({ ...job, seconds: 1 });
    const ask = (job) => async () => (await load.run({ ...job, seconds: 3 })).p50;
    const times = await inTurns(TURNS, jobs.map(ask));
    const growth = median(times[0].map((small, turn) => times[1][turn] / small));
    rows.push([name, ...times.map((all) => milliseconds(median(all))), ratio(growth)]);
  }
  const sizes = SIZES.map(count);
  return {
    table: `The same questions at ${sizes.join(' and ')} etches on PostgreSQL, ${CONNECTIONS} connections (p50, median of ${TURNS} turns)`,
    head: ['question', ...sizes, 'grows by'],
    rows,
  };
}

/** Answers have the same length at every size. */
async function questions({ port, client, keys }) {
  const rows = async (statement) => (await client.query(statement)).rows;
  const ids = await rows(`select id from etch where status = 'revealed' order by md5(id::text) limit 2000`);
  const regulars = await rows(`select username, id from account order by created_at limit ${REGULARS}`);
  for (const { id } of regulars) await clientOf(port, keys[0]).follow('user', id);
  const get = (paths, more) => ({ paths, port, connections: CONNECTIONS, expect: 200, ...more });
  return {
    'create an etch': { keys, port, connections: CONNECTIONS, expect: 201 },
    'read an etch': get(ids.map(({ id }) => `/api/v1/etches/${id}`)),
    'the page of an etch': get(ids.map(({ id }) => `/e/${id}`)),
    'a record': get(regulars.map(({ username }) => `/api/v1/users/${username}/etches`)),
    'a feed': get(['/api/v1/feed'], { key: keys[0] }),
    'the newest': get(['/api/v1/search']),
    'the newest of a topic': get(['/api/v1/search?category=ai']),
    'the trees': get(['/api/v1/batches']),
  };
}
