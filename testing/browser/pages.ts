import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll } from 'vitest';
import { type RpcGate, startRpcGate } from '../chain/rpc-gate.ts';
import { type MovableClock, movableClock } from '../system/movable-clock.ts';
import { postgresWorld, type Settings, useGround, type World } from '../system/world.ts';
import { inTab, sharedBrowser, type Watched } from './browser.ts';

export function usePages(
  settings: Settings | (() => Promise<Settings>) = {},
  begin: () => Promise<void> = () => Promise.resolve(),
) {
  const ground = useGround();
  let browser: Browser | undefined;
  let world: World;
  let gate: RpcGate;
  let clock: MovableClock;
  beforeAll(async () => {
    browser = await sharedBrowser();
    gate = ground.keep(await startRpcGate(ground.chain.rpcUrl));
    const more = typeof settings === 'function' ? await settings() : settings;
    const { postgres, chain } = ground;
    world = ground.keep(await postgresWorld({ postgres, chain, rpcUrl: gate.url }, more));
    clock = await movableClock(world.settings['DATABASE_URL']!, chain);
    await world.start();
    await begin();
  });
  return {
    get chain() {
      return ground.chain;
    },
    keep: <T extends Parameters<typeof ground.keep>[0]>(part: T): T => ground.keep(part),
    get browser() {
      return browser!;
    },
    get world() {
      return world;
    },
    get gate() {
      return gate;
    },
    get clock() {
      return clock;
    },
    withTab: (work: (tab: Watched) => Promise<void>, options?: BrowserContextOptions) =>
      inTab(browser!, world.url, work, options),
  };
}
