import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { tidyGuesses } from '../accounts/guesses.ts';
import { createRevocationFile, replayRevocations } from '../accounts/revocations.ts';
import { createErasureFile, replayErasures } from '../acts/erasures.ts';
import {
  anchoringStatus,
  createAnchoring,
  createSpend,
  ensureSameChain,
  type Failpoint,
} from '../anchoring/index.ts';
import { attestationReader } from '../chain/attestation-reader.ts';
import { cachedReader } from '../chain/cached-reader.ts';
import { createFeeReader } from '../chain/fees-paid.ts';
import { createNonceHolder } from '../chain/nonce-holder.ts';
import { observeChain } from '../chain/observed.ts';
import { type Chain, ChainUnavailable, WrongSetting } from '../chain/port.ts';
import { type DatabaseClock, startDatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { openParts } from '../etches/secret.ts';
import { runScheduler, type Task } from '../scheduler/scheduler.ts';
import { createTaskTimes } from '../scheduler/task-times.ts';
import { createKeyring, type Keyring } from '../secrets/keyring.ts';
import { checkSecretKeys, generatedKeys } from '../secrets/secret-keys.ts';
import type { Config } from '../settings/config.ts';
import { originOf } from '../settings/listen-address.ts';
import { type ChainInUse, openChain } from '../start/chain.ts';
import { openDatabase, openMaintenance, openSearchPool, openStandbyPool } from '../start/database.ts';
import { freePort } from '../chain/free-port.ts';
import { createReadiness } from '../start/readiness.ts';
import { openRedis, redisReadiness } from '../start/redis.ts';
import type { Siblings } from '../start/siblings.ts';
import { createStandby } from '../standby/standby.ts';
import { lookForTombstones } from '../tombstones/look.ts';
import { tracedDb, tracedReader } from '../traces/traced.ts';
import type { Traces } from '../traces/traces.ts';
import { createMetrics } from '../vitals/metrics.ts';
import { checkParts } from '../vitals/readiness.ts';
import { createVitals } from '../vitals/vitals.ts';
import { assemble } from './assemble.ts';
import { chainFacts } from './chain-facts.ts';
import { TIMESTAMPS } from '../witnesses/timestamps.ts';

/** How long a stop waits for the step under way. */
const STEP_PATIENCE_MS = 3_000;
/** Connections the system keeps for us until we take them; who finds no room there waits for seconds. It may allow fewer. */
const BACKLOG = 4_096;

export interface Service {
  /** where it listens */
  url: string;
  baseUrl: string;
  rpcUrl: string | undefined;
  /** Ends what is under way, loses nothing. */
  stop(): Promise<void>;
}

export interface StartOptions {
  failpoint?: Failpoint | undefined;
  /** the processes beside this one */
  siblings?: Siblings | undefined;
}

/** Opens everything, checks that it belongs together, and serves. @throws with one message that says what to do */
export async function startService(
  config: Config,
  log: Logger,
  { failpoint, siblings }: StartOptions = {},
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
    if (await bindChain(db, chain, log)) await withholdRetracted(db, opened, keyring, log);
    return await serve({ config, log, keyring, db, clock, chain, failpoint, siblings });
  } catch (error) {
    await chain?.stop();
    await db.close();
    throw error;
  }
}

/** A database that came out of a backup must not bring back what was retracted since. */
async function eraseAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { erased, refused } = await replayErasures(db, ledger);
  if (erased > 0)
    log.warn(
      { etches: erased },
      'etches of an older database were erased again: their authors had retracted them',
    );
  if (refused > 0)
    log.error({ lines: refused, ledger }, 'the erasure ledger holds lines that do not fit this database');
}

/** Nor may it give back a key that was revoked since, or a session that was ended. */
async function revokeAgain(db: Db, ledger: string, log: Logger): Promise<void> {
  const { keys, sessions, refused } = await replayRevocations(db, ledger);
  if (keys + sessions > 0)
    log.warn({ keys, sessions }, 'what an older database gave back was revoked again: keys and sessions');
  if (refused > 0) log.error({ lines: refused, ledger }, 'the revocation ledger holds damaged lines');
}

interface Opened {
  config: Config;
  log: Logger;
  keyring: Keyring;
  db: Db;
  clock: DatabaseClock;
  chain: ChainInUse;
  failpoint: Failpoint | undefined;
  siblings: Siblings | undefined;
}

/** Another chain refuses to start; one that is down does not: it is checked again before anything is anchored. */
async function bindChain(db: Db, { chain, devnet }: ChainInUse, log: Logger): Promise<boolean> {
  try {
    const found = await ensureSameChain(db, chain, { devnet: devnet !== undefined });
    if (found === 'reset') log.warn('the devnet began anew: everything is anchored again');
    return true;
  } catch (error) {
    if (!(error instanceof ChainUnavailable) || error instanceof WrongSetting) throw error;
    log.warn(
      { reason: error.message },
      'the chain cannot be reached: etches are taken, and anchored when it is back',
    );
    return false;
  }
}

/** Before anybody is answered. While the chain is down nothing can be told of it: looked at again as soon as it is back. */
async function withholdRetracted(db: Db, chain: Chain, keyring: Keyring, log: Logger): Promise<void> {
  try {
    await lookForTombstones(db, chain, keyring, log);
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    log.warn({ reason: error.message }, 'the chain cannot be asked for tombstones that the database forgot');
  }
}

/** Loaded only when they are asked for. */
async function openTraces({ traces, secrets }: Config): Promise<Traces | undefined> {
  if (!traces) return undefined;
  return (await import('../traces/otlp.ts')).openTraces({ ...traces, headers: secrets.otlpHeaders });
}

async function serve(opened: Opened): Promise<Service> {
  const { config, log, keyring, clock, chain, failpoint, siblings } = opened;
  const traces = await openTraces(config);
  const db = traces ? tracedDb(opened.db, traces) : opened.db;
  const reader = attestationReader(chain.client.readers);
  const stopped = new AbortController();
  const searchDb = openSearchPool(config);
  const maintenance = openMaintenance(config);
  const standbyDb = openStandbyPool(config);
  const standby =
    standbyDb &&
    createStandby({
      primary: db,
      standby: standbyDb,
      clock,
      maxAge: config.databaseReadMaxAgeSeconds * 1_000,
      log: log.child({ room: 'standby' }),
    });
  const taskTimes = createTaskTimes();
  const metrics = createMetrics({
    vitals: () => vitals(),
    tasks: taskTimes,
    clock,
    pools: { main: db, search: searchDb, standby: standbyDb, maintenance },
    ...(standby && { standby: () => standby.facts() }),
    ...(siblings && { others: siblings.figures }),
  });
  siblings?.tellFigures(metrics.own);
  const anchoring = createAnchoring({
    db,
    chain: observeChain(chain.chain, (question, outcome) => metrics.notes.chainCall(question, outcome)),
    ticked: ({ reopened }) => metrics.notes.reopened(reopened),
    log: log.child({ room: 'anchoring' }),
    devnet: chain.devnet !== undefined,
    nonceHolder: createNonceHolder(chain.client.anchoring, chain.chain.relayer),
    rules: { scheme: config.chain.scheme, maxFeePerGas: chain.chain.maxFeePerGas },
    partsOf: (row) => {
      const { content, salt } = openParts(keyring, row.id, row.sealed);
      return { content, salt: salt.toString('hex') };
    },
    ...(config.tsaCertificates !== undefined && { witnesses: [TIMESTAMPS] }),
    ...(failpoint && { failpoint }),
  });

  const { redisUrl } = config.secrets;
  const redis =
    redisUrl === undefined ? undefined : openRedis(redisUrl, { warn: (message) => log.warn(message) });
  const readiness = [
    ...createReadiness({ db, clock, chain, standby }),
    ...(redis ? [redisReadiness(redis)] : []),
  ];
  const vitals = createVitals({
    db,
    relayer: chain.chain.relayer,
    parts: async () =>
      (await checkParts(readiness)).map(({ name, problem }) => ({ name, ok: problem === undefined })),
    anchoring: () => anchoringStatus(db),
    confirmations: config.chain.confirmations,
    head: async () => (await chain.chain.head()).number,
    balance: () => chain.chain.balance(),
    spend: createSpend({ db, now: () => clock.now(), feesOf: createFeeReader(chain.client.anchoring) }),
  });
  // With PORT 0 the origin is known only once the port is: everything that writes urls is made after it.
  const chosen =
    config.port === 0 && config.baseUrl === undefined ? await freePort(config.host) : config.port;
  const baseUrl = config.baseUrl ?? originOf(config.host, chosen);
  const { app, drain, tasks, flush } = assemble({
    config,
    baseUrl,
    db,
    apart: { search: searchDb, maintenance },
    ...(standby && { standby }),
    clock,
    keyring,
    log,
    chain: {
      facts: chainFacts(config, baseUrl, chain, db),
      reader: cachedReader(traces ? tracedReader(reader, traces) : reader),
      rpc: chain.client.readers,
      background: chain.client.background,
    },
    readiness,
    vitals: { read: vitals, metrics },
    ...(traces && { traces }),
    ...(redis && { redis }),
    ...(siblings && { siblings }),
  });
  await app.listen({ host: config.host, port: chosen, backlog: BACKLOG });
  const { port } = app.server.address() as AddressInfo;
  const keepErasures = createErasureFile(db, config.erasureLedger);
  const keepRevocations = createRevocationFile(db, config.revocationLedger);

  const running = [
    anchoring.run(stopped.signal, { intervalSeconds: config.chain.intervalSeconds }),
    runScheduler(
      tasksHere(siblings, [
        ...tasks,
        { name: 'clock', everySeconds: 5, everywhere: true, run: () => clock.measure() },
        {
          name: 'tombstones',
          everySeconds: 60,
          run: () => lookForTombstones(db, chain.chain, keyring, log),
        },
        { name: 'guesses', everySeconds: 3_600, run: () => tidyGuesses(db, clock.now()) },
        { name: 'erasure ledger', everySeconds: 5, run: async () => void (await keepErasures()) },
        { name: 'revocation ledger', everySeconds: 5, run: async () => void (await keepRevocations()) },
      ]),
      log,
      stopped.signal,
      taskTimes,
    ),
  ];
  return {
    url: originOf(config.host, port),
    baseUrl,
    rpcUrl: chain.devnet?.rpcUrl,
    async stop() {
      stopped.abort();
      await drain.stop();
      // A step that waits for a slow chain is left as a crash would leave it: the next start goes on from there.
      const patience = new AbortController();
      const late = sleep(STEP_PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), late]).finally(() => patience.abort());
      await flush().catch(() => undefined);
      await keepErasures().catch(() => undefined);
      await keepRevocations().catch(() => undefined);
      redis?.disconnect();
      await traces?.stop().catch(() => undefined);
      await chain.stop();
      await searchDb?.close();
      await standbyDb?.close();
      await maintenance?.close();
      await db.close();
    },
  };
}

/** Of several processes on one machine the first runs what need not be done by each. */
function tasksHere(siblings: Siblings | undefined, tasks: readonly Task[]): readonly Task[] {
  return siblings && siblings.place > 0 ? tasks.filter(({ everywhere }) => everywhere) : tasks;
}
