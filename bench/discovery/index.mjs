// Lists, searches and the feed at three sizes, next to the best plain SQL, in turns.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import sql from 'sql-template-tag';
import { startPostgres } from '../../scripts/postgres.mjs';
import { createKeyring } from '../../packages/server/dist/platform/secrets/keyring.js';
import { revealDueEtches } from '../../packages/server/dist/acts/reveal.js';
import { searchAccounts } from '../../packages/server/dist/discovery/accounts.js';
import { readFeedPage } from '../../packages/server/dist/discovery/feed.js';
import { createFreshness } from '../../packages/server/dist/discovery/freshness.js';
import { createKnownTotals } from '../../packages/server/dist/discovery/known-totals.js';
import { createSearchDb } from '../../packages/server/dist/discovery/search-db.js';
import { searchEtches } from '../../packages/server/dist/discovery/search.js';
import { findEtches } from '../../packages/server/dist/etches/store.js';
import { etchView } from '../../packages/server/dist/etches/view.js';
import { milliseconds, note, ratio, table } from '../support/report.mjs';
import { openFilled } from './database.mjs';
import { accountsByTopic, accountsByWord, byRelevance, feed, inTime, listing } from './plain.mjs';
import { RARE, word } from './rows.mjs';
import { measureWriting } from './writing.mjs';

const SIZES = [10_000, 100_000, 1_000_000];

export async function run({ sizes = SIZES } = {}) {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  try {
    for (const size of sizes) {
      const opened = await openFilled(postgres.url, size);
      await measure(size, opened);
      if (size === sizes.at(-1)) await measureWriting(opened.db);
      await opened.close();
    }
    note('\nAim at 1,000,000 etches: at most 1.5 for lists, and for searches of three or more characters.');
  } finally {
    await postgres.stop();
  }
}

async function measure(size, { db, searchDb }) {
  const keyring = createKeyring([Buffer.alloc(32, 7)]);
  const view = { baseUrl: 'http://bench', keyring, officialAccounts: new Set() };
  const discovery = {
    searchDb: createSearchDb(searchDb),
    freshness: createFreshness(db, (now) => revealDueEtches(db, keyring, now)),
    clock: { now: () => Date.now() },
    known: createKnownTotals(),
    view,
  };
  const reader = await prepareReader(db);
  const rows = [];
  for (const question of await questions(db, reader, size)) {
    const ours = () => question.ours(discovery);
    // Only the way to find rows differs.
    const plain = question.plain.map((statements) => async () => {
      let answer = [];
      for (const statement of statements) answer = await searchDb.query(statement);
      if (!question.shown) return;
      const ids =
        answer[0]?.ids === undefined
          ? answer.map((row) => row.etch_id)
          : answer[0].ids.split(',').filter(Boolean);
      const now = Date.now();
      for (const row of await findEtches(db, ids.slice(0, 30))) etchView(row, now, view);
    });
    const [own, ...others] = await alternate([ours, ...plain]);
    const best = Math.min(...others);
    rows.push([question.name, milliseconds(own), milliseconds(best), ratio(own / best)]);
  }
  table(
    `Discovery at ${size.toLocaleString('en-US')} etches on PostgreSQL, beside the best plain SQL`,
    ['question', 'service', 'plain SQL', 'ratio'],
    rows,
  );
}

/** Medians; the first round warms up. */
async function alternate(works, budget = 4_000) {
  const times = works.map(() => []);
  const began = performance.now();
  for (let round = 0; round < 12 && (round < 4 || performance.now() - began < budget); round++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      if (round > 0) times[index].push(performance.now() - start);
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1]);
}

/** Follows twenty others. */
async function prepareReader(db) {
  const accounts = await db.query(sql`select id from account order by created_at desc limit 21`);
  const [reader, ...followed] = accounts.map((row) => row.id);
  for (const id of followed) {
    await db.query(
      sql`insert into follow (user_id, target_type, target_id, created_at) values (${reader}, 'user', ${id}, ${new Date()})`,
    );
  }
  return { id: reader, followed };
}

async function questions(db, reader, size) {
  const [words] = await db.query({
    text: `select ${word(1)} as common, ${word(40)} as frequent, ${word(3000)} as seldom`,
    values: [],
  });
  const [{ n: ai }] = await db.query(sql`select count(*) as n from etch_search where category_id = 'ai'`);
  const etches = (query, plain) => ({
    ours: (discovery) => searchEtches(discovery, reader.id, query),
    plain,
    shown: true,
  });
  const half = Math.floor(size / 60);
  const all = [
    ['newest, page 1', etches({}, listing({}))],
    [`newest, page ${half}`, etches({ page: `${half}` }, listing({ offset: (half - 1) * 30 }))],
    ['newest, beyond the last page', etches({ page: '99999999' }, listing({ offset: 99_999_998 * 30 }))],
    ['one topic, page 1', etches({ category: 'ai' }, listing({ category: ['ai'] }))],
    [
      'one topic, in the middle',
      etches(
        { category: 'ai', page: `${Math.floor(ai / 60)}` },
        listing({ category: ['ai'], offset: (Math.floor(ai / 60) - 1) * 30 }),
      ),
    ],
    [
      'three topics, sealed, page 1',
      etches(
        { category: 'ai,tech,other', status: 'sealed' },
        listing({ category: ['ai', 'tech', 'other'], status: ['sealed'] }),
      ),
    ],
    ['retracted, page 1', etches({ status: 'retracted' }, listing({ status: ['retracted'] }))],
    ['of 20 followed accounts, page 1', etches({ following: '1' }, listing({ users: reader.followed }))],
  ];
  for (const [kind, q] of [
    ['rare', RARE],
    ['seldom', words.seldom],
    ['frequent', words.frequent],
    ['common', words.common],
  ]) {
    all.push([`${kind} word, best, page 1`, etches({ q }, byRelevance(q))]);
    all.push([`${kind} word, newest, page 1`, etches({ q, sort: 'newest' }, inTime(q))]);
    if (kind === 'frequent' || kind === 'common') {
      all.push([
        `${kind} word, best, page 50`,
        etches({ q, page: '50' }, byRelevance(q, { offset: 49 * 30 })),
      ]);
      all.push([
        `${kind} word, newest, page 50`,
        etches({ q, sort: 'newest', page: '50' }, inTime(q, { offset: 49 * 30 })),
      ]);
    }
  }
  all.push(['two letters, best, page 1', etches({ q: 'ai' }, byRelevance('ai'))]);
  all.push(['two letters, newest, page 1', etches({ q: 'ai', sort: 'newest' }, inTime('ai'))]);
  all.push(['a word nobody wrote', etches({ q: 'quetzalcoatl' }, byRelevance('quetzalcoatl'))]);
  const accounts = (query, plain) => ({
    ours: (discovery) => searchAccounts(discovery, undefined, query),
    plain,
  });
  all.push(['accounts by a rare word', accounts({ q: RARE }, accountsByWord(RARE))]);
  all.push(['accounts by a frequent word', accounts({ q: words.frequent }, accountsByWord(words.frequent))]);
  all.push(['accounts by topic', accounts({ category: 'ai' }, accountsByTopic('ai'))]);
  all.push([
    'feed, page 1',
    {
      ours: (discovery) => readFeedPage(discovery, reader.id, { limit: 30 }),
      plain: feed(reader.id),
      shown: true,
    },
  ]);
  return all.map(([name, question]) => ({ name, ...question }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sizes = process.argv.slice(2).map(Number);
  await run(sizes.length > 0 ? { sizes } : {});
}
