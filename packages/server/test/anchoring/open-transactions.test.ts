import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

/** These methods make no request. */
const OFFLINE = ['encodeAttest', 'encodeRevoke', 'decodeAttest', 'sign'];

/** A slow endpoint would prolong the transaction's locks. */
test('no request to the chain while a database transaction is open', async () => {
  const open = new AsyncLocalStorage<true>();
  const asked: string[] = [];
  const watchedDb = {
    ...db,
    tx: ((work, options) => db.tx((tx) => open.run(true, () => work(tx)), options)) as Db['tx'],
  };
  const chain = new Proxy(ground.devnet.chain(), {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || OFFLINE.includes(String(name))) return value;
      return (...args: unknown[]): unknown => {
        if (open.getStore()) asked.push(String(name));
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  const anchor = (rules = {}) => ground.drain(watchedDb, { chain, rules });
  const trees = await testing.makeEtches(db, 5);
  await anchor();
  const single = await testing.makeEtches(db, 2);
  await anchor({ scheme: 'single' });
  await testing.retract(db, [...trees.slice(0, 2), ...single]);
  await anchor();
  // Also while it adopts attestations without known leaves.
  await testing.makeEtches(db, 4);
  const goBack = await testing.remember(db);
  await testing.makeEtches(db, 2);
  await anchor();
  await goBack();
  await anchor();
  expect(asked).toEqual([]);
  await ground.audit(db, { beside: 1 });
});

const ground = testing.useAnchoring();
const db = testing.useDatabase();
