// Reads lists, searches and the feed of a million etches, next to the best plain SQL, in turns.
import sql from 'sql-template-tag';
import { startPostgres } from '../scripts/postgres.mjs';
import { revealDueEtches } from '../packages/server/dist/acts/reveal-store.js';
import { openPostgres } from '../packages/server/dist/db/postgres.js';
import { searchAccounts } from '../packages/server/dist/discovery/account-store.js';
import { readFeedPage } from '../packages/server/dist/discovery/feed-store.js';
import * as discoveryDb from '../packages/server/dist/discovery/search-db.js';
import { searchEtches } from '../packages/server/dist/discovery/search.js';
import { findEtches } from '../packages/server/dist/etches/store.js';
import { etchView } from '../packages/server/dist/etches/view.js';
import { createKeyring } from '../packages/server/dist/platform/secrets/keyring.js';
import { openFilled } from './discovery/database.mjs';
import { accountsByTopic, accountsByWord, byRelevance, feed, inTime, listing } from './discovery/plain.mjs';
import { RARE, word } from './discovery/rows.mjs';
import { LARGE, within } from './support/processes.mjs';
import { milliseconds, note, ratio, table } from './support/report.mjs';

/** The values of service/start/database.ts. */
const SEARCHES = {
  poolSize: 4,
  statementTimeout: 60_000,
  parameters: { work_mem: '32MB', jit: 'off' },
};

export const run = ({ size = 1_000_000 } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres(LARGE));
    const { url } = await use(openFilled(postgres.url, size));
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
    const reader = await prepareReader(db);
    const rows = [];
    for (const [name, ask, statements] of await questions(db, reader, size)) {
      const plain = statements.map((all) => () => runPlain({ db, searchDb, view }, all));
      const [own, ...others] = await alternate([() => ask(discovery), ...plain]);
      const best = Math.min(...others);
      rows.push([name, milliseconds(own), milliseconds(best), ratio(own / best)]);
    }
    table(
      `Discovery at ${size.toLocaleString('en-US')} etches on PostgreSQL, next to the best plain SQL`,
      ['question', 'service', 'plain SQL', 'ratio'],
      rows,
    );
    note('Aim: at most 1.5 for lists, and for searches of three or more characters.');
  });

/** Finds etches by plain SQL and reads their public fields like the service. */
async function runPlain({ db, searchDb, view }, statements) {
  let answer = [];
  for (const statement of statements) answer = await searchDb.query(statement);
  const [first] = answer;
  const ids = first?.ids?.split(',').filter(Boolean) ?? answer.flatMap((row) => row.etch_id ?? []);
  const now = Date.now();
  if (ids.length > 0) for (const row of await findEtches(db, ids.slice(0, 30))) etchView(row, now, view);
}

/** Returns medians; the first round warms up. */
async function alternate(works, budget = 4_000) {
  const times = works.map(() => []);
  const began = performance.now();
  for (let round = 0; round < 12 && (round < 4 || performance.now() - began < budget); round++)
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      if (round > 0) times[index].push(performance.now() - start);
    }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
}

async function prepareReader(db) {
  const accounts = await db.query(sql`select id from account order by created_at desc limit 21`);
  const [id, ...followed] = accounts.map((row) => row.id);
  for (const other of followed)
    await db.query(
      sql`insert into follow (user_id, target_type, target_id, created_at) values (${id}, 'user', ${other}, ${new Date()})`,
    );
  return { id, followed };
}

async function questions(db, { id, followed }, size) {
  const [words] = await db.query({
    text: `select ${word(1)} as common, ${word(40)} as frequent, ${word(3000)} as seldom`,
    values: [],
  });
  const etches = (query) => (discovery) => searchEtches(discovery, id, query);
  const accounts = (query) => (discovery) => searchAccounts(discovery, undefined, query);
  const half = Math.floor(size / 60);
  const three = { category: 'ai,tech,other', status: 'sealed' };
  return [
    ['newest, page 1', etches({}), listing({})],
    [`newest, page ${half}`, etches({ page: `${half}` }), listing({ offset: (half - 1) * 30 })],
    ['one topic, page 1', etches({ category: 'ai' }), listing({ category: ['ai'] })],
    [
      'three topics, sealed, page 1',
      etches(three),
      listing({ category: three.category.split(','), status: [three.status] }),
    ],
    ['retracted, page 1', etches({ status: 'retracted' }), listing({ status: ['retracted'] })],
    ['of 20 followed accounts, page 1', etches({ following: '1' }), listing({ users: followed })],
    ...Object.entries({ rare: RARE, ...words }).flatMap(([kind, q]) => [
      [`${kind} word, best, page 1`, etches({ q }), byRelevance(q)],
      [`${kind} word, newest, page 1`, etches({ q, sort: 'newest' }), inTime(q)],
    ]),
    ['two letters, best, page 1', etches({ q: 'ai' }), byRelevance('ai')],
    ['a word that no etch has', etches({ q: 'quetzalcoatl' }), byRelevance('quetzalcoatl')],
    ['accounts by a rare word', accounts({ q: RARE }), accountsByWord(RARE)],
    ['accounts by a frequent word', accounts({ q: words.frequent }), accountsByWord(words.frequent)],
    ['accounts by topic', accounts({ category: 'ai' }), accountsByTopic('ai')],
    ['feed, page 1', (discovery) => readFeedPage(discovery, id, { limit: 30 }), feed(id)],
  ];
}
