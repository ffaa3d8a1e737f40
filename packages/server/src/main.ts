import { pino } from 'pino';
import { FAILPOINTS, type Failpoint } from './anchoring/index.ts';
import { type Service, startService } from './service/service.ts';
import type { Config } from './settings/config.ts';
import { readEnvironment } from './settings/environment.ts';
import { mistypedSettings, mistypedText } from './settings/mistyped.ts';
import { ConfigError, readConfig } from './settings/read-config.ts';
import { VERSION } from './settings/version.ts';

/** How long a stop may take before the process ends regardless. */
const STOP_WITHIN_MS = 9_000;

/** Starts the service and serves until SIGTERM or SIGINT; `--version` says which one it is. */
export async function main(args: readonly string[] = []): Promise<void> {
  if (args.includes('--version')) return console.log(VERSION);
  const environment = readEnvironment();
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(`setting: ${problem}`);
    process.exit(1);
  }

  const log = pino({ level: config.logLevel, redact: ['req.headers.authorization', '*.raw', '*.params'] });
  log.info({ version: VERSION, node: process.version }, 'commitment service');
  for (const mistyped of mistypedSettings(environment)) log.warn(`setting: ${mistypedText(mistyped)}`);
  let stopping = false;
  let service: Service | undefined;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void (service?.stop() ?? Promise.resolve()).then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  try {
    service = await startService(config, log, readFailpoint(config.failpoint));
  } catch (error) {
    log.fatal(error instanceof Error ? `cannot start: ${error.message}` : 'cannot start');
    log.debug({ err: error }, 'why');
    process.exit(1);
  }
  log.info(`serving ${service.baseUrl}`);
  if (service.rpcUrl) {
    log.warn(
      `embedded devnet at ${service.rpcUrl}: its proofs convince nobody else; set CHAIN_RPC_URL for a public chain`,
    );
  }
}

/** `name` or `name:n`: the process kills itself the n-th time it comes there (tests). */
function readFailpoint(setting: string | undefined): Failpoint | undefined {
  if (setting === undefined) return undefined;
  const [name, count = '1'] = setting.split(':');
  if (!FAILPOINTS.some((known) => known === name) || !/^[1-9]\d*$/.test(count)) {
    console.error(`setting: FAILPOINT must be one of ${FAILPOINTS.join(', ')}, with :n for the n-th time`);
    process.exit(1);
  }
  let left = Number(count);
  return (reached) => {
    if (reached === name && --left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
