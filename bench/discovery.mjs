// Reads lists, searches and the feed of a million etches, next to the best plain SQL, in turns.
import sql from 'sql-template-tag';
import { revealDueEtches } from '../packages/server/dist/acts/reveal-store.js';
import { openPostgres } from '../packages/server/dist/db/postgres.js';
import { searchAccounts } from '../packages/server/dist/discovery/account-store.js';
import { readFeedPage } from '../packages/server/dist/discovery/feed-store.js';
import * as discoveryDb from '../packages/server/dist/discovery/search-db.js';
import { searchEtches } from '../packages/server/dist/discovery/search.js';
import { findEtches } from '../packages/server/dist/etches/store.js';
import { etchView } from '../packages/server/dist/etches/view.js';
import { createKeyring } from '../packages/server/dist/platform/secrets/keyring.js';
import { accountsByTopic, accountsByWord, byRelevance, feed, inTime, listing } from './support/plain-sql.mjs';
import { COMMON, FREQUENT, RARE, SELDOM } from './support/etches.mjs';
import { startFilled } from './support/processes.mjs';
import { count, inTurns, median, milliseconds, ratio, timed } from './support/report.mjs';

const SIZE = 1_000_000;
const TURNS = 5;
/** The values of service/connections.ts. */
const SEARCHES = { poolSize: 4, statementTimeout: 60_000, parameters: { work_mem: '32MB', jit: 'off' } };

export const aim = 'at most 1.5 for lists, and for searches of three or more characters.';

export async function measure(use) {
  const { url } = await startFilled(use, SIZE);
  const db = await use(openPostgres({ url }));
  const searchDb = await use(openPostgres({ url, ...SEARCHES }));
  const keyring = createKeyring([Buffer.alloc(32, 7)]);
  const view = { baseUrl: 'http://bench', keyring, officialAccounts: new Set() };
  const discovery = {
    searchDb: discoveryDb.createSearchDb(searchDb),
    freshness: discoveryDb.createFreshness(db, (now) => revealDueEtches(db, keyring, now)),
    clock: { now: () => Date.now() },
    known: discoveryDb.createKnownTotals(),
    view,
  };
  /** Finds etches by plain SQL and reads their public fields like the service. */
  const runPlain = async (statements) => {
    let answer = [];
    for (const statement of statements) answer = await searchDb.query(statement);
    const ids = answer[0]?.ids?.split(',').filter(Boolean) ?? answer.flatMap((row) => row.etch_id ?? []);
    const now = Date.now();
    if (ids.length > 0) for (const row of await findEtches(db, ids.slice(0, 30))) etchView(row, now, view);
  };
  const rows = [];
  for (const [name, ask, ways] of await questions(db, discovery)) {
    const works = [ask, ...ways.map((way) => () => runPlain(way))].map((work) => () => timed(work));
    await inTurns(1, works); // warms up
    const [own, ...others] = (await inTurns(TURNS, works)).map(median);
    const best = Math.min(...others);
    rows.push([name, milliseconds(own), milliseconds(best), ratio(own / best)]);
  }
  return {
    table: `Discovery at ${count(SIZE)} etches on PostgreSQL, next to the best plain SQL`,
    head: ['question', 'service', 'plain SQL', 'ratio'],
    rows,
  };
}

/** Each has the request to the service and the ways of plain SQL. */
async function questions(db, discovery) {
  const [{ id }, ...others] = await db.query(sql`select id from account order by created_at desc limit 21`);
  const followed = others.map((row) => row.id);
  await db.query(sql`insert into follow (user_id, target_type, target_id, created_at)
    select ${id}, 'user', unnest(${followed}::uuid[]), now()`);
  const etches = (query) => () => searchEtches(discovery, id, query);
  const accounts = (query) => () => searchAccounts(discovery, undefined, query);
  const middle = Math.floor(SIZE / 60);
  const words = { rare: RARE, seldom: SELDOM, frequent: FREQUENT, common: COMMON };
  return [
    ['newest, page 1', etches({}), listing()],
    [`newest, page ${middle}`, etches({ page: `${middle}` }), listing(sql`true`, (middle - 1) * 30)],
    ['one topic, page 1', etches({ category: 'ai' }), listing(sql`category_id = 'ai'`)],
    [
      'three topics, sealed, page 1',
      etches({ category: 'ai,tech,other', status: 'sealed' }),
      listing(sql`category_id in ('ai', 'tech', 'other') and status = 'sealed'`),
    ],
    ['retracted, page 1', etches({ status: 'retracted' }), listing(sql`status = 'retracted'`)],
    [
      'of 20 followed accounts, page 1',
      etches({ following: '1' }),
      listing(sql`user_id = any(${followed}::uuid[])`),
    ],
    ...Object.entries(words).flatMap(([kind, q]) => [
      [`${kind} word, best, page 1`, etches({ q }), byRelevance(q)],
      [`${kind} word, newest, page 1`, etches({ q, sort: 'newest' }), inTime(q)],
    ]),
    ['a word that no etch has', etches({ q: 'quetzalcoatl' }), byRelevance('quetzalcoatl')],
    ['accounts by a rare word', accounts({ q: RARE }), accountsByWord(RARE)],
    ['accounts by a frequent word', accounts({ q: FREQUENT }), accountsByWord(FREQUENT)],
    ['accounts by topic', accounts({ category: 'ai' }), accountsByTopic('ai')],
    ['feed, page 1', () => readFeedPage(discovery, id, { limit: 30 }), feed(id)],
  ];
}
