import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { FAILPOINTS, type Failpoint } from './anchoring/index.ts';
import { freePort } from './chain/devnet/anvil.ts';
import { DatabaseUnavailable } from './db/db.ts';
import { type OtlpOptions, readTraceVariables } from './platform/traces/variables.ts';
import { runProcesses } from './service/processes/primary.ts';
import { startService } from './service/service.ts';
import type { Config } from './settings/config.ts';
import { openFilesLimit, readEnvironment } from './settings/environment.ts';
import { ConfigError, readConfig } from './settings/read-config.ts';
import { originOf } from './settings/listen-address.ts';
import { BUILD, VERSION } from './settings/version.ts';
import { settingWarnings } from './settings/warnings.ts';
import { judgeOpenFiles } from './service/start/open-files.ts';
import { joinSiblings, PROCESS_INDEX } from './service/start/siblings.ts';

/** The process ends after this time; a parent process waits a little longer. */
const STOP_WITHIN_MS = 9_000;
const STOP_ALL_WITHIN_MS = 10_000;

export async function main(args: readonly string[] = []): Promise<void> {
  if (args.includes('--version')) return console.log(VERSION);
  const environment = readEnvironment();
  let config: Config;
  let collector: OtlpOptions | undefined;
  try {
    config = readConfig(environment);
    collector = readTraceVariables(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) console.error(`setting: ${problem}`);
    process.exit(1);
  }

  const log = pino({ level: config.logLevel, redact: ['req.headers.authorization', '*.raw', '*.params'] });
  if (cluster.isPrimary) {
    log.info({ ...BUILD, node: process.version }, 'commitment service');
    for (const warning of settingWarnings(environment, config)) log.warn(`setting: ${warning}`);
  }
  const together = cluster.isPrimary && config.processes > 1;
  try {
    const mostConnections = cluster.isPrimary ? checkOpenFiles(config, log) : undefined;
    await (together ? serveTogether(config, log) : serveHere(config, log, { collector, mostConnections }));
  } catch (error) {
    log.fatal(`cannot start: ${reasonOf(error)}`);
    log.debug({ err: error }, 'why');
    process.exit(1);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return error.reason ?? error.message;
  if (!(error instanceof Error)) return 'for an unknown reason';
  const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  return isTaken ? `${error.message}: set PORT to a free port` : error.message;
}

/** @returns how many connections a process may accept */
function checkOpenFiles(config: Config, log: Logger): number | undefined {
  const embedded = config.secrets.databaseUrl === undefined;
  const { status, detail, mend, connections } = judgeOpenFiles(openFilesLimit(), { embedded });
  if (status === 'fail') throw new Error(`${detail}: ${mend}`);
  if (status === 'warn') log.warn(`${detail}: ${mend}`);
  return connections;
}

/** `mostConnections` has no effect on several processes: they would pass a connection around while all are full. */
async function serveHere(
  config: Config,
  log: Logger,
  options: { collector: OtlpOptions | undefined; mostConnections: number | undefined },
): Promise<void> {
  const siblings = joinSiblings(process.env[PROCESS_INDEX]);
  const stopping = stopOnSignal(log);
  siblings?.whenAlone(() => stopping.stop('the process that started this one is gone'));
  const failpoint = readFailpoint(config.failpoint);
  const service = await startService(config, log, { failpoint, siblings, ...options });
  stopping.by(() => service.stop());
  if (siblings) return log.info({ place: siblings.index }, 'one of several processes serves');
  log.info(`serving ${service.baseUrl}`);
  if (service.rpcUrl) {
    log.warn(
      `embedded devnet at ${service.rpcUrl}: its proofs convince nobody else; set CHAIN_RPC_URL for a public chain`,
    );
  }
}

async function serveTogether(config: Config, log: Logger): Promise<void> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const processes = runProcesses(config.processes, { PORT: String(port) }, log);
  const stopping = stopOnSignal(log, STOP_ALL_WITHIN_MS);
  stopping.by(processes.stop);
  try {
    await processes.listening;
  } catch (error) {
    await processes.stop().catch(() => undefined);
    throw error;
  }
  log.info({ processes: config.processes }, `serving ${config.baseUrl ?? originOf(config.host, port)}`);
}

function stopOnSignal(log: Logger, withinMs = STOP_WITHIN_MS) {
  let stopping = false;
  let stopAll = (): Promise<unknown> => Promise.resolve();
  const stop = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), withinMs).unref();
    void stopAll().then(
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
  return { stop, by: (work: () => Promise<unknown>) => void (stopAll = work) };
}

/** For tests only. `name:n` kills the process at the n-th time. */
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
