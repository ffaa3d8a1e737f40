import { lastingPort } from '../machine/free-port.ts';
import { startService } from './service-process.ts';
import type { ServiceProcess } from './service-process.ts';

export async function startForTests(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  return startService({
    PORT: String(await lastingPort()),
    DATA_DIR: dataDir,
    DEVNET_PORT: '0',
    LOG_LEVEL: 'info',
    MIN_REVEAL_LEAD_SECONDS: '1',
    ANCHOR_INTERVAL_SECONDS: '1',
    LIMIT_KEY_PER_MINUTE: '100000',
    LIMIT_ANON_PER_MINUTE: '100000',
    TEST_LIMIT_MCP_PER_MINUTE: '5000',
    LIMIT_RPC_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '100000',
    ...settings,
  });
}
