import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { serveSavedChain } from '../chain/saved-chain.ts';
import { newDataDir } from '../database/embedded.ts';
import { newFolder } from '../machine/folder.ts';
import { install, type Place, runAlone } from '../machine/packed.ts';
import { lastingPort } from '../machine/free-port.ts';
import type { ServiceProcess } from './service-process.ts';
import { startForTests } from './start-for-tests.ts';

/** Nothing listens here, so everything comes from the service. */
export const NO_REGISTRY = 'http://127.0.0.1:9';

/** A service that stops before the journey of a program ends. Programs come from its `/install/` alone. */
export function useProgramJourney() {
  let dataDir: string;
  let port: string;
  let service: ServiceProcess | undefined;
  let chain: Awaited<ReturnType<typeof serveSavedChain>> | undefined;
  const home = newFolder('home');
  /** All programs of a journey share a home folder, which contains the keys and the pins. */
  const run = (place: Place, program: string, args: readonly string[], env: Record<string, string> = {}) =>
    runAlone(place, program, args, { registry: NO_REGISTRY, env: { HOME: home, ...env } });
  const start = async () => void (service = await startForTests(dataDir, { PORT: port }));

  beforeAll(async () => {
    dataDir = await newDataDir();
    port = String(await lastingPort());
    await start();
  });
  afterAll(async () => {
    await chain?.stop();
    await service?.stop();
  });

  return {
    get url() {
      return service!.url;
    },
    install: (...names: string[]): Promise<Place> =>
      install(
        names.map((name) => `${service!.url}/install/${name}`),
        NO_REGISTRY,
      ),
    run,
    svc: (place: Place, ...args: string[]) => run(place, join(place.folder, 'node_modules/.bin/svc'), args),
    async restart() {
      await service!.stop();
      await start();
    },
    /** Returns the RPC URL of the saved chain. */
    async stopService(): Promise<string> {
      await service!.stop();
      service = undefined;
      chain = await serveSavedChain(dataDir);
      return chain.rpcUrl;
    },
  };
}
