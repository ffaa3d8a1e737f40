// Runs without a database.
import { describe, expect, test, vi } from 'vitest';
import type { AnchoringStatus } from '../../src/anchoring/index.ts';
import { SHORT_FORMS } from '../../src/db/db.ts';
import { createVitals, statusView, type Vitals } from '../../src/vitals/vitals.ts';

const ANCHORING: AnchoringStatus = {
  pending: 0,
  halted: 0,
  openTransactions: 0,
  minedTransactions: 0,
  unplaced: 0,
  oldestPendingSeconds: null,
  minedIn: null,
  lastAnchoredAt: null,
  failingSince: null,
  catchingUp: false,
  failure: 'http://node.example/v3/provider-key said no',
};
const WELL: Vitals = {
  parts: ['database', 'clock', 'chain', 'redis'].map((name) => ({ name, ok: true })),
  anchoring: ANCHORING,
  confirming: null,
  lastBatch: null,
  days: null,
  counts: null,
  witnesses: [],
  log: { held: null, index_held: null },
  relayer: { address: `0x${'1'.repeat(40)}`, balance: 10n ** 18n, spend: null, daysLeft: null },
};
const without = (name: string): Vitals['parts'] =>
  WELL.parts.map((part) => ({ ...part, ok: part.name !== name }));
const relayer = (changes: Partial<Vitals['relayer']>): Partial<Vitals> => ({
  relayer: { ...WELL.relayer, ...changes },
});

describe('/status', () => {
  test.each<[string, Partial<Vitals>, string]>([
    ['all is well', {}, 'operational'],
    ['counts of requests are not shared', { parts: without('redis') }, 'operational'],
    ['the database is away', { parts: without('database'), anchoring: null }, 'unavailable'],
    ['the clock cannot be believed', { parts: without('clock') }, 'unavailable'],
    ['the chain is away', { parts: without('chain') }, 'delayed'],
    ['attempts fail', { anchoring: { ...ANCHORING, failingSince: '2026-01-02T03:04:05.678Z' } }, 'delayed'],
    ['anchoring is catching up', { anchoring: { ...ANCHORING, catchingUp: true } }, 'operational'],
    ['one waits for ten minutes', { anchoring: { ...ANCHORING, oldestPendingSeconds: 600 } }, 'operational'],
    ['one waits for longer', { anchoring: { ...ANCHORING, oldestPendingSeconds: 601 } }, 'delayed'],
    ['the relayer is empty', relayer({ balance: 0n }), 'delayed'],
    ['the relayer runs low', relayer({ daysLeft: 2 }), 'operational'],
  ])('when %s', (_, changes, status) => {
    expect(statusView({ ...WELL, ...changes }, 0).status).toBe(status);
  });

  test.each<[Partial<Vitals['relayer']>, string, string | null]>([
    [{}, 'ok', '1.000000'],
    [{ balance: 0n }, 'empty', '0.000000'],
    [{ balance: 1_999_999n * 10n ** 12n - 1n, daysLeft: 7 }, 'ok', '1.999998'],
    [{ balance: 5n, daysLeft: 6.9 }, 'low', '0.000000'],
    [{ balance: null }, 'unknown', null],
  ])('a relayer with %o is %s', (changes, health, balance) => {
    expect(statusView({ ...WELL, ...relayer(changes) }, 0).relayer).toMatchObject({ health, balance });
  });

  const acts = { suspend: 2, take_down: 1 };
  const late = { name: 'one', fault: 'it answers status 500' };
  const log = { held: 'it differs', index_held: null };
  test.each<[string, Partial<Vitals>, object]>([
    ['the acts of operators', { counts: { operatorActs: acts } as never }, { operator_acts: acts }],
    ['no acts while the database is unavailable', {}, { operator_acts: null }],
    [
      'how far a witness is behind',
      { witnesses: [{ ...late, behindSeconds: 61.4 }] },
      { witnesses: [{ ...late, behind_seconds: 61 }] },
    ],
    ['why the log of trees signs nothing', { log }, { log }],
    [
      'why the index of accounts ends',
      { log: { held: null, index_held: 'it ends' } },
      { log: { index_held: 'it ends' } },
    ],
  ])('shows %s, and changes no status for it', (_, changes, shown) =>
    expect(statusView({ ...WELL, ...changes }, 0)).toMatchObject({ status: 'operational', ...shown }),
  );

  test("repeats no reason of a failure, which may contain a provider's key", () => {
    const failing = { ...ANCHORING, failingSince: '2026-01-02T03:04:05.678Z' };
    const text = JSON.stringify(statusView({ ...WELL, anchoring: failing }, Date.now()));
    expect(text).toContain('failing_since');
    expect(text).not.toMatch(/provider-key|node\.example/);
  });
});

const refuses = (): Promise<never> => Promise.reject(new Error('down'));
const vitals = (parts: Partial<Parameters<typeof createVitals>[0]>) =>
  createVitals({
    db: { ...SHORT_FORMS, engine: 'pglite', query: refuses, tx: refuses, close: refuses },
    now: Date.now,
    relayer: WELL.relayer.address,
    parts: () => Promise.resolve(WELL.parts),
    anchoring: refuses,
    head: refuses,
    balance: refuses,
    witnesses: refuses,
    log: refuses,
    spend: refuses,
    confirmations: 12,
    ...parts,
  });

test('leaves out unknown values, returns the rest, and computes how long the balance lasts', async () => {
  const read = vitals({
    parts: () => Promise.resolve([{ name: 'database', ok: false }]),
    balance: () => Promise.resolve(10n * 10n ** 18n),
    spend: () => Promise.resolve({ perDay: 4n * 10n ** 18n, gasPerTransaction: 1, gas: 0n, wei: 0n }),
  });
  const unknown = { anchoring: null, lastBatch: null, days: null, counts: null, log: null };
  expect(await read()).toMatchObject(unknown);
  // The first request starts reading the cost in the background.
  await new Promise((resolve) => setImmediate(resolve));
  expect((await read()).relayer).toMatchObject({ balance: 10n * 10n ** 18n, daysLeft: 2.5 });
});

test.each([
  ['counts the block itself', 102, 3],
  ['leaves out what no node told', null, null],
  ['believes no head that is older', 99, null],
])('/status %s when it reports how far a block is from final', async (_, newest, seen) => {
  const read = vitals({
    anchoring: () => Promise.resolve({ ...ANCHORING, minedTransactions: 2, minedIn: 100 }),
    head: () => (newest === null ? refuses() : Promise.resolve(newest)),
  });
  const confirming = { transactions: 2, seen, needed: 12 };
  expect(statusView(await read(), 0).anchoring).toMatchObject({ confirming });
});

test('/status reads no chain while no block waits to be final', async () => {
  const head = vi.fn(() => Promise.resolve(1));
  const read = vitals({ anchoring: () => Promise.resolve(ANCHORING), confirmations: 'safe', head });
  expect((await read()).confirming).toBeNull();
  expect(head).not.toHaveBeenCalled();
});
