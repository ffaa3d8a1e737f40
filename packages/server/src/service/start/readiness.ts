import type { DatabaseClock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { isMigrated } from '../../db/migrate.ts';
import { type Forgotten, readForgotten } from '../../vitals/store.ts';
import type { ReadinessPart } from '../../vitals/readiness.ts';
import type { Standby } from '../../platform/standby/standby.ts';
import type { ChainInUse } from './chain.ts';

const REUSED_FOR_MS = 1_000;

/** Reuses an answer for one second, because anyone can request /readyz and a chain call may cost money. */
function reused<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    if (!last || performance.now() - last.at > REUSED_FOR_MS) last = { at: performance.now(), answer: ask() };
    return last.answer;
  };
}

/** These facts do not make the service unready. */
function tombstoneFacts({ withheld, unmatched }: Forgotten): object {
  if (unmatched === 0) return { withheld, unmatched };
  const fault = `${unmatched} on the chain match no etch: this database may show a text that was retracted (svc-admin chain check --leaves)`;
  return { withheld, unmatched, fault };
}

function standbyReadiness({ status }: Pick<Standby, 'status'>): ReadinessPart {
  return {
    name: 'standby',
    optional: true,
    async check() {
      const { problem } = status();
      return problem && `${problem}: the primary answers lists`;
    },
    facts: () => ({ age_seconds: status().ageSeconds }),
  };
}

export function createReadiness(parts: {
  db: Db;
  clock: DatabaseClock;
  chain: ChainInUse;
  standby?: Pick<Standby, 'status'> | undefined;
}): ReadinessPart[] {
  const { db, clock, chain, standby } = parts;
  let forgotten: Forgotten | undefined;
  const head = reused(() => chain.chain.head());
  return [
    {
      name: 'database',
      check: async () => ((await isMigrated(db)) ? undefined : 'migrations are missing'),
      facts: () => ({ engine: db.engine }),
    },
    ...(standby ? [standbyReadiness(standby)] : []),
    { name: 'clock', check: async () => clock.problem() },
    {
      name: 'chain',
      async check() {
        forgotten = await readForgotten(db).catch(() => undefined);
        await head();
        return undefined;
      },
      facts: () => ({
        name: chain.chain.name,
        ...(chain.devnet && { rpc_url: chain.devnet.rpcUrl }),
        ...(forgotten && { tombstones: tombstoneFacts(forgotten) }),
      }),
    },
  ];
}
