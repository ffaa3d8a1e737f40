import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Anchoring, createAnchoring, type Failpoint } from '../anchoring/index.ts';
import { attestationReader, cachedReader } from '../chain/attestation-reader.ts';
import { freePort } from '../chain/devnet/anvil.ts';
import { startDatabaseClock } from '../db/clock.ts';
import { runScheduler, type Task } from '../platform/scheduler/scheduler.ts';
import { createKeyring } from '../platform/secrets/keyring.ts';
import { checkSecretKeys, generatedKeys } from '../platform/secrets/secret-keys.ts';
import type { Config } from '../settings/config.ts';
import { originOf } from '../settings/listen-address.ts';
import {
  bindChain,
  chainFacts,
  type ChainInUse,
  eraseAgain,
  openChain,
  revokeAgain,
  warnOfEmptyRelayer,
  withholdRetracted,
} from './start/chain.ts';
import { openConnections, openDatabase } from './connections.ts';
import { limitConnections } from './start/open-files.ts';
import type { Siblings } from './start/siblings.ts';
import { tracedDb, tracedReader } from '../platform/traces/traced.ts';
import type { OtlpOptions } from '../platform/traces/variables.ts';
import { assemble } from './assemble.ts';
import { type StartContext, openMonitoring } from './monitoring.ts';
import { createNonceHolder } from '../chain/own-transaction.ts';
import { observeChain } from '../chain/observed.ts';
import { decryptHidden } from '../etches/hidden-fields.ts';
import type { Metrics } from '../vitals/metrics.ts';
import { witnessKinds } from '../proofs/witnesses/timestamps.ts';

/** Longest wait of a stop for the current anchoring step. */
const STEP_PATIENCE_MS = 3_000;
/** The operating system may queue fewer connections. */
const BACKLOG = 4_096;

export interface Service {
  url: string;
  baseUrl: string;
  rpcUrl: string | undefined;
  stop(): Promise<void>;
}

export interface StartOptions {
  failpoint?: Failpoint | undefined;
  siblings?: Siblings | undefined;
  collector?: OtlpOptions | undefined;
  mostConnections?: number | undefined;
}

/** @throws with one message that names the next step */
export async function startService(
  config: Config,
  log: Logger,
  { failpoint, siblings, collector, mostConnections }: StartOptions = {},
): Promise<Service> {
  const say = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) };
  const keyring = createKeyring(config.secrets.keys ?? (await generatedKeys(config.dataDir)));
  const db = await openDatabase(config, say);
  let chain: ChainInUse | undefined;
  try {
    await checkSecretKeys(db, keyring);
    await eraseAgain(db, config.erasureLedger, log);
    await revokeAgain(db, config.revocationLedger, log);
    chain = await openChain(config, say);
    const opened = chain.chain;
    const clock = await startDatabaseClock(db, {
      chainHead: async () => (await opened.head()).timestamp * 1000,
    });
    const problem = clock.problem();
    if (problem !== undefined) log.error({ reason: problem }, 'the clocks disagree');
    if (await bindChain(db, chain, log)) {
      await withholdRetracted(db, opened, keyring, log);
      if (isFirst(siblings)) await warnOfEmptyRelayer(opened, log);
    }
    const parts = { config, log, keyring, db, clock, chain, failpoint, siblings };
    return await serve({ ...parts, mostConnections }, collector);
  } catch (error) {
    await chain?.stop();
    await db.close();
    throw error;
  }
}

async function serve(
  opened: StartContext & Pick<StartOptions, 'mostConnections'>,
  collector: OtlpOptions | undefined,
): Promise<Service> {
  const { config, log, keyring, clock, chain, siblings } = opened;
  const traces = collector && (await import('../platform/traces/otlp.ts')).openTraces(collector);
  const db = traces ? tracedDb(opened.db, traces) : opened.db;
  const connections = openConnections(config, db, clock, log);
  // With PORT 0, the origin depends on the free port.
  const chosen =
    config.port === 0 && config.baseUrl === undefined ? await freePort(config.host) : config.port;
  const baseUrl = config.baseUrl ?? originOf(config.host, chosen);
  const watched = openMonitoring({ ...opened, db }, baseUrl, connections);
  const anchoring = openAnchoring({ ...opened, db }, watched.metrics);
  const reader = attestationReader(chain.client.readers);
  const { app, drain, tasks, activity, flush } = assemble({
    config,
    baseUrl,
    db,
    apart: connections,
    standby: connections.standby,
    clock,
    keyring,
    log,
    chain: {
      port: chain.chain,
      facts: chainFacts(config, baseUrl, chain, db),
      reader: cachedReader(traces ? tracedReader(reader, traces) : reader),
      rpc: chain.client.readers,
      background: chain.client.background,
    },
    readiness: watched.readiness,
    vitals: { read: watched.vitals, metrics: watched.metrics },
    ...(traces && { traces }),
    ...(connections.redis && { redis: connections.redis }),
    ...(siblings && { siblings }),
  });
  limitConnections(app.server, opened.mostConnections, log);
  await app.listen({ host: config.host, port: chosen, backlog: BACKLOG });
  const { port } = app.server.address() as AddressInfo;

  const stopped = new AbortController();
  const running = [
    anchoring.run(stopped.signal, { intervalSeconds: config.chain.intervalSeconds, rest: activity.rest }),
    runScheduler(
      tasksHere(siblings, tasks),
      { log, times: watched.taskTimes, rest: activity.rest },
      stopped.signal,
    ),
  ];
  return {
    url: originOf(config.host, port),
    baseUrl,
    rpcUrl: chain.devnet?.rpcUrl,
    async stop() {
      stopped.abort();
      await drain.stop();
      // A slow step is abandoned, as in a crash; the next start continues it.
      await Promise.race([Promise.all(running), sleep(STEP_PATIENCE_MS, undefined, { ref: false })]);
      await flush();
      await traces?.stop().catch(() => undefined);
      await chain.stop();
      await connections.close();
      await db.close();
    },
  };
}

/** One process of a machine runs the common tasks. */
function tasksHere(siblings: Siblings | undefined, tasks: readonly Task[]): readonly Task[] {
  return isFirst(siblings) ? tasks : tasks.filter(({ everywhere }) => everywhere);
}

const isFirst = (siblings: Siblings | undefined): boolean => (siblings?.index ?? 0) === 0;

function openAnchoring(
  { config, db, keyring, chain, log, failpoint }: StartContext,
  { notes }: Metrics,
): Anchoring {
  return createAnchoring({
    db,
    chain: observeChain(chain.chain, (question, outcome) => notes.chainCall(question, outcome)),
    ticked: ({ reopened }) => notes.reopened(reopened),
    log: log.child({ module: 'anchoring' }),
    devnet: chain.devnet !== undefined,
    nonceHolder: createNonceHolder(chain.client.anchoring, chain.chain.relayer),
    rules: { scheme: config.chain.scheme, maxFeePerGas: chain.chain.maxFeePerGas },
    decryptHidden: (row) => {
      const { content, salt } = decryptHidden(keyring, row.id, row.sealed);
      return { content, salt: salt.toString('hex') };
    },
    witnesses: witnessKinds(config),
    ...(failpoint && { failpoint }),
  });
}
