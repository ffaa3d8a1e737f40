import { beforeAll } from 'vitest';
import { freshHome, type Ran, svc } from '../../testing/clients/svc.ts';
import type { TestChain } from '../../testing/chain/anvil.ts';
import type { Relayer } from '../../testing/chain/node.ts';
import type { TestAgent } from '../../testing/clients/agents.ts';
import type { Json } from '../../testing/json.ts';
import { Load, type Wanted } from '../../testing/system/load.ts';
import { type LyingService, startLyingService } from '../../testing/system/lying-service.ts';
import { allAnchored } from '../../testing/system/settled.ts';
import { postgresWorld, useGround, type World } from '../../testing/system/world.ts';

/** Two accounts with etches of every kind, all anchored, and a reader with `svc audit`. */
export interface AuditedRecord {
  readonly world: World;
  readonly chain: TestChain;
  readonly relayer: Relayer;
  readonly ada: TestAgent;
  readonly ben: TestAgent;
  readonly wanted: readonly Wanted[];
  readonly home: string;
  of(agent: TestAgent): Wanted[];
  /** The reader pinned the service's published values; its answers are still unproven. */
  audit(args: string[], url?: string): Promise<Ran>;
  lying(lie: LyingService['lie']): Promise<LyingService>;
}

export const asJson = (ran: Ran): Json => JSON.parse(ran.out);

export function useRecord(): AuditedRecord {
  const ground = useGround();
  const home = freshHome();
  let world: World;
  let relayer: Relayer;
  let ada: TestAgent;
  let ben: TestAgent;
  let wanted: Wanted[];
  const of = (agent: TestAgent): Wanted[] => wanted.filter((each) => each.agent === agent);

  beforeAll(async () => {
    relayer = await ground.chain.newRelayer();
    world = ground.keep(await postgresWorld({ postgres: ground.postgres, chain: ground.chain, relayer }));
    await world.start();
    [ada, ben] = (await world.agents(2)) as [TestAgent, TestAgent];
    const load = new Load({ client: world.client, agents: [ada, ben], delayed: 0 });
    wanted = load.wanted;
    const later = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
    for (const agent of [ada, ben, ada]) {
      await Promise.all([1, 2, 3].map(() => load.etch({}, agent)));
      await load.etch({ mode: 'delayed', reveal_at: later }, agent);
      await allAnchored(world, wanted);
    }
    await load.retract(of(ada)[0]!);
    await allAnchored(world, wanted);
  });

  return {
    home,
    of,
    get world() {
      return world;
    },
    get chain() {
      return ground.chain;
    },
    get relayer() {
      return relayer;
    },
    get ada() {
      return ada;
    },
    get ben() {
      return ben;
    },
    get wanted() {
      return wanted;
    },
    audit: (args, url = world.url) => svc(['audit', ...args, '--base-url', url, '--trust', url], { home }),
    lying: async (lie) => ground.keep(await startLyingService(world.url, lie)),
  };
}
