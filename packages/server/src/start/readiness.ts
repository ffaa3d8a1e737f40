import type { DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { isMigrated } from '../db/migrate.ts';
import type { ReadinessPart } from '../http/health.ts';
import type { ChainInUse } from './chain.ts';

/** What must work for the service to be of use (DECISIONS.md §1, `/readyz`). */
export function createReadiness(parts: { db: Db; clock: DatabaseClock; chain: ChainInUse }): ReadinessPart[] {
  const { db, clock, chain } = parts;
  return [
    {
      name: 'database',
      check: async () => ((await isMigrated(db)) ? undefined : 'migrations are missing'),
      facts: () => ({ engine: db.engine }),
    },
    { name: 'clock', check: async () => clock.problem() },
    {
      name: 'chain',
      async check() {
        await chain.chain.head();
        return undefined;
      },
      facts: () => ({ name: chain.chain.name, ...(chain.devnet && { rpc_url: chain.devnet.rpcUrl }) }),
    },
  ];
}
