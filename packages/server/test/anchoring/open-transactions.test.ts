import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import type { Chain } from '../../src/chain/port.ts';
import type { Db } from '../../src/db/db.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { remember } from '../../../../testing/database/older.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';

/** These methods make no request. */
const OFFLINE = ['encodeAttest', 'encodeRevoke', 'decodeAttest', 'sign'];

/** A slow endpoint would prolong the transaction's locks. */
describe('no request to the chain while a database transaction is open', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  const open = new AsyncLocalStorage<true>();
  const asked: string[] = [];

  const watchedDb = (): Db =>
    new Proxy(db, {
      get: (target, name) => {
        if (name === 'tx')
          return ((work, options) => target.tx((tx) => open.run(true, () => work(tx)), options)) as Db['tx'];
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  const watchedChain = (): Chain =>
    new Proxy(ground.devnet.chain(), {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function' || OFFLINE.includes(String(name))) return value;
        return (...args: unknown[]): unknown => {
          if (open.getStore()) asked.push(String(name));
          return (value as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  const anchoring = (rules = {}) =>
    ground.anchoring(watchedDb(), { holder: 'one', chain: watchedChain(), rules });

  test('is sent for trees, single attestations and their retractions', async () => {
    const trees = await makeEtches(db, 5);
    await drain(anchoring(), db);
    const single = await makeEtches(db, 2);
    await drain(anchoring({ scheme: 'single' }), db);
    await retract(db, [...trees.slice(0, 2), ...single]);
    await drain(anchoring(), db);
    expect(asked).toEqual([]);
    await auditLedger(db, ground.devnet);
  });

  test('is sent during the adoption of attestations without known leaves', async () => {
    await makeEtches(db, 4);
    const goBack = await remember(db);
    await makeEtches(db, 2);
    await drain(anchoring(), db);
    await goBack();
    await drain(anchoring(), db);
    expect(asked).toEqual([]);
    await auditLedger(db, ground.devnet, { beside: 1 });
  });
});
