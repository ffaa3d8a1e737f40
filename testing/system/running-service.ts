import { afterAll, beforeAll } from 'vitest';
import { newDataDir } from '../database/embedded.ts';
import { lastingPort } from '../machine/free-port.ts';
import { startService } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

/** The real service for the tests of one file, with everything embedded; sealed etches may be due within a second. */
export function useRunningService(settings: Record<string, string> = {}): { readonly url: string } {
  let service: ServiceProcess | undefined;
  beforeAll(async () => {
    service = await start(settings);
  }, 180_000);
  afterAll(() => service?.stop());
  return {
    get url() {
      return service!.url;
    },
  };
}

let shared: Promise<ServiceProcess> | undefined;

/** The same for all files that this process runs, each of which has accounts of its own there. It ends with the process. */
export function useSharedService(): { readonly url: string } {
  let url = '';
  beforeAll(async () => {
    ({ url } = await (shared ??= start({})));
  }, 180_000);
  return {
    get url() {
      return url;
    },
  };
}

async function start(settings: Record<string, string>): Promise<ServiceProcess> {
  return startService({
    PORT: String(await lastingPort()),
    DATA_DIR: await newDataDir(),
    DEVNET_PORT: '0',
    LOG_LEVEL: 'info',
    MIN_REVEAL_LEAD_SECONDS: '1',
    ANCHOR_INTERVAL_SECONDS: '1',
    LIMIT_KEY_PER_MINUTE: '100000',
    LIMIT_ANON_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '100000',
    ...settings,
  });
}
