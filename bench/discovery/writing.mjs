// Creation with and without the search index, and its delay.
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import sql, { Sql } from 'sql-template-tag';
import { insertEtches } from '../../packages/server/dist/acts/create-store.js';
import { indexQueued } from '../../packages/server/dist/search-index/indexer.js';
import { rate, ratio, table } from '../support/report.mjs';

const BATCH = 128;
const ROUNDS = 40;

export async function measureWriting(db) {
  const [{ id: userId }] = await db.query(sql`select id from account limit 1`);
  await db.query(sql`delete from search_queue`);
  const [{ text }] = await db.query(sql`select content as text from etch where content is not null limit 1`);
  const create = (change) => {
    const etches = Array.from({ length: BATCH }, () => newEtch(userId, text));
    return db.tx((tx) =>
      insertEtches(
        {
          inTransaction: true,
          query: (statement) => tx.query(change(statement)),
          last: (statement) => tx.last(change(statement)),
        },
        etches,
        [],
        new Map([[userId, { tokens: 1, at: Date.now() }]]),
      ),
    );
  };
  const spent = { noted: 0, silent: 0 };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [kind, change] of [
      ['noted', (statement) => statement],
      ['silent', withoutNote],
    ]) {
      const start = performance.now();
      await create(change);
      if (round >= 0) spent[kind] += performance.now() - start;
    }
  }
  const start = performance.now();
  const indexed = await indexQueued(db);
  const seconds = (performance.now() - start) / 1_000;
  const perSecond = (time) => (ROUNDS * BATCH) / (time / 1_000);
  table(
    'Creating etches on one connection, 128 in a transaction, with and without the note for the search',
    ['with', 'without', 'ratio', 'the search follows at'],
    [
      [
        rate(perSecond(spent.noted)),
        rate(perSecond(spent.silent)),
        ratio(spent.silent / spent.noted),
        rate(indexed / seconds),
      ],
    ],
  );
}

/** Without `search_queue`. */
function withoutNote(statement) {
  const at = statement.strings.findIndex((part) => part.includes('insert into search_queue'));
  if (at < 0) throw new Error('creation has no note for the search any more: this measures nothing');
  const before = statement.strings[at].slice(0, statement.strings[at].indexOf(', queued as'));
  const after = statement.strings[at + 1].replace(/^::uuid\[\]\)\s*\)/, '');
  return new Sql(
    [...statement.strings.slice(0, at), before + after, ...statement.strings.slice(at + 2)],
    [...statement.values.slice(0, at), ...statement.values.slice(at + 1)],
  );
}

function newEtch(user_id, content) {
  const at = new Date().toISOString();
  return {
    id: randomUUID(),
    user_id,
    code: randomUUID(),
    mode: 'instant',
    status: 'revealed',
    hash: randomBytes(32),
    description: content.slice(0, 60),
    category_id: 'ai',
    challenge_id: null,
    challenge_question: null,
    created_at: at,
    reveal_at: null,
    revealed_at: at,
    sealed: null,
    content,
    salt: randomBytes(32),
    signature: null,
    signature_key: null,
  };
}
