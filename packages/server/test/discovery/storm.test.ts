import { describe, expect, test } from 'vitest';
import sql from 'sql-template-tag';
import { StatementFailed } from '../../src/db/db.ts';
import { createSearchDb } from '../../src/discovery/search-db.ts';
import { useService } from '../../../../testing/service/service.ts';
import { get } from './support.ts';

test('a statement that exceeds its timeout returns 503', async () => {
  const searchDb = createSearchDb({ tx: (work: () => unknown) => work() } as never);
  const cancelled = searchDb.run(true, () => Promise.reject(new StatementFailed('57014', 'see the code')));
  await expect(cancelled).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('runs one statement without a transaction, with the same timeout', async () => {
  const cancelled = new StatementFailed('57014', 'see the code');
  const tx = () => Promise.reject(new Error('a transaction was opened'));
  const searchDb = createSearchDb({ tx, query: () => Promise.reject(cancelled) } as never);
  const asked = searchDb.ask(true, (db) => db.query(sql`select 1`));
  await expect(asked).rejects.toMatchObject({ code: 'service_unavailable' });
});

describe('searches limited to 50 ms', () => {
  const service = useService({ settings: { TEST_SEARCH_TIMEOUT_MS: '50' } });

  test('a slow search returns 503 in the envelope; other requests continue', async () => {
    if (service.db.engine === 'pglite') return; // PGlite has one connection and no timeouts
    const agent = await service.registerAgent();
    // The lock makes a search wait.
    await service.db.tx(async (tx) => {
      await tx.query(sql`lock table etch_search in access exclusive mode`);
      const slow = Array.from({ length: 10 }, () => get(service, 'search', { q: 'slow' }));
      for (const answer of await Promise.all(slow)) {
        expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      await service.etch(agent, { content: 'written meanwhile' });
    });
    // On a busy machine this search may also need more than 50 ms.
    await expect
      .poll(async () => (await get(service, 'search', { q: 'written meanwhile' })).body.page?.total)
      .toBe(1);
  });
});
