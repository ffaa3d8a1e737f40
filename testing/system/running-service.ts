import { afterAll, beforeAll } from 'vitest';
import { newFolder } from '../machine/folder.ts';
import { lastingPort } from '../machine/free-port.ts';
import { startService } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

/** The real service for the tests of one file, with everything embedded; sealed etches may be due within a second. */
export function useRunningService(settings: Record<string, string> = {}): { readonly url: string } {
  let service: ServiceProcess | undefined;
  let url = '';
  beforeAll(async () => {
    const port = String(await lastingPort());
    url = `http://127.0.0.1:${port}`;
    service = await startService({
      PORT: port,
      DATA_DIR: newFolder('data'),
      DEVNET_PORT: '0',
      LOG_LEVEL: 'info',
      MIN_REVEAL_LEAD_SECONDS: '1',
      ANCHOR_INTERVAL_SECONDS: '1',
      LIMIT_KEY_PER_MINUTE: '100000',
      LIMIT_ANON_PER_MINUTE: '100000',
      LIMIT_REGISTRATIONS_PER_HOUR: '100000',
      ...settings,
    });
  }, 180_000);
  afterAll(async () => {
    await service?.stop();
  });
  return {
    get url() {
      return url;
    },
  };
}
