import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll } from 'vitest';
import { type RpcGate, startRpcGate } from '../chain/rpc-gate.ts';
import { type Ground, postgresWorld, type Settings, useGround, type World } from '../system/world.ts';
import { inTab, sharedBrowser, type Watched } from './browser.ts';

/** What tests of pages in a real browser share: a service on a chain that is not its own, and the browser. */
interface PagesGround extends Pick<Ground, 'chain' | 'keep'> {
  readonly browser: Browser;
  readonly world: World;
  /** between the service and its chain */
  readonly gate: RpcGate;
  /** A tab for this work alone. */
  withTab(work: (tab: Watched) => Promise<void>, options?: BrowserContextOptions): Promise<void>;
}

/**
 * Call it in a file, not in a test.
 * @param settings beside the tests' own, or how to learn them once other things run
 * @param begin what stands before the first test
 */
export function usePages(
  settings: Settings | (() => Promise<Settings>) = {},
  begin: () => Promise<void> = () => Promise.resolve(),
): PagesGround {
  const ground = useGround();
  let browser: Browser | undefined;
  let world: World;
  let gate: RpcGate;
  beforeAll(async () => {
    browser = await sharedBrowser();
    gate = ground.keep(await startRpcGate(ground.chain.rpcUrl));
    const more = typeof settings === 'function' ? await settings() : settings;
    const { postgres, chain } = ground;
    world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }, more));
    await world.start();
    await begin();
  }, 240_000);
  return {
    get chain() {
      return ground.chain;
    },
    keep: (part) => ground.keep(part),
    get browser() {
      return browser!;
    },
    get world() {
      return world;
    },
    get gate() {
      return gate;
    },
    withTab: (work, options) => inTab(browser!, world.url, work, options),
  };
}
