// Runs without a database.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { revealDueEtches } from '../../src/acts/reveal-store.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { encryptHidden } from '../../src/etches/hidden-fields.ts';
import type { Db, Tx } from '../../src/db/db.ts';
import { during } from '../../../../testing/turns.ts';

const keyring = createKeyring([randomBytes(32)]);
const salt = randomBytes(32);

/** The database returns one chunk at once, so that only the work itself yields to the event loop. */
function databaseOf(content: string, count: number): Db {
  let given = false;
  const due = Array.from({ length: count }, (_, index) => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const parts = { content, salt, signature: null, signature_key: null };
    return { id, sealed: encryptHidden(keyring, id, parts) };
  });
  const query = (async (statement: { text: string }) => {
    if (!statement.text.includes('skip locked') || given) return [];
    given = true;
    return due;
  }) as Tx['query'];
  const tx = { inTransaction: true, query, last: query } as Tx;
  return { tx: (work: (tx: Tx) => Promise<unknown>) => work(tx) } as Db;
}

test('yields to the event loop between long texts, and not between short ones', async () => {
  const long = await during(() => revealDueEtches(databaseOf('x '.repeat(1_000), 480), keyring, Date.now()));
  expect(long.made).toBe(480);
  expect(long.turns).toBeGreaterThan(5);
  const few = await during(() => revealDueEtches(databaseOf('a text as most are', 100), keyring, Date.now()));
  expect(few.made).toBe(100);
  expect(few.turns).toBeLessThan(3);
});
