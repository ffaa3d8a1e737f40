import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createKeyUses } from '../accounts/keys.ts';
import { createOfficialAccounts } from '../accounts/official.ts';
import { forgetSignatures } from '../accounts/store.ts';
import { createEtchCreator } from '../acts/create.ts';
import { revealDueEtches } from '../acts/reveal.ts';
import { createVacuum } from '../acts/vacuum.ts';
import type { ReaderFor } from '../chain/cached-reader.ts';
import type { Rpc } from '../chain/client.ts';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { createFreshness } from '../discovery/freshness.ts';
import { createKnownTotals } from '../discovery/known-totals.ts';
import { createSearchDb } from '../discovery/search-db.ts';
import type { SearchDependencies } from '../discovery/search.ts';
import { createPromises } from '../etches/promise.ts';
import { createEtchReader } from '../etches/read.ts';
import { createEtchVerifier, type ChainFacts } from '../etches/verify.ts';
import type { ViewContext } from '../etches/view.ts';
import { queueMissed } from '../events/collect-store.ts';
import { collectEvents } from '../events/collect.ts';
import { forgetEvents } from '../events/event-store.ts';
import { createApp } from '../http/app.ts';
import { createChainReads } from '../http/chain-reads.ts';
import { addDrain, type Drain } from '../http/drain.ts';
import { mountHealth } from '../http/health.ts';
import { mountIdentity } from '../http/identity/mount.ts';
import { mountLive } from '../http/live/mount.ts';
import type { Streams } from '../http/live/streams.ts';
import { mountLlms } from '../http/llms-page.ts';
import { mountMcp } from '../http/mcp/mount.ts';
import { mountMetrics } from '../http/metrics.ts';
import { mountPages } from '../http/pages/mount.ts';
import { type PageParts, siteOf } from '../http/pages/parts.ts';
import { createPictures, type Pictures } from '../http/pages/pictures.ts';
import { answerUnknownPage } from '../http/pages/problems.ts';
import { mountStatus } from '../http/pages/status.ts';
import { createRateLimiters } from '../http/rate-limits.ts';
import { mountAccount } from '../http/routes/account.ts';
import { mountAgents } from '../http/routes/agents.ts';
import { mountBatches } from '../http/routes/batches.ts';
import { mountChallenges } from '../http/routes/challenges.ts';
import { mountEtches } from '../http/routes/etches.ts';
import { mountEvents } from '../http/routes/events.ts';
import { mountFeed } from '../http/routes/feed.ts';
import { mountFollows } from '../http/routes/follows.ts';
import { mountGuide } from '../http/routes/guide.ts';
import { mountRawRecord, mountRecords } from '../http/routes/records.ts';
import { mountSearch } from '../http/routes/search.ts';
import { mountService } from '../http/routes/service.ts';
import { mountVerification } from '../http/routes/verification.ts';
import { mountRpc } from '../http/rpc.ts';
import { mountWellKnown } from '../http/well-known.ts';
import { createAuthenticator } from '../identity/authenticate.ts';
import { SIGNATURE_WINDOW_MS } from '../identity/signed-request.ts';
import type { GuardedOptions } from '../outgoing/guarded-request.ts';
import type { Task } from '../scheduler/scheduler.ts';
import { indexQueued } from '../search-index/indexer.ts';
import { repairNames } from '../search-index/names-store.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Config } from '../settings/config.ts';
import type { Traces } from '../traces/traces.ts';
import type { Metrics } from '../vitals/metrics.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';
import type { ReadVitals } from '../vitals/vitals.ts';
import { deliverDue } from '../webhooks/deliver.ts';
import { forgetDeliveries, queueDeliveries } from '../webhooks/delivery-store.ts';
import { openIdentity, programSignIn } from './identity.ts';

const DAY_MS = 24 * 3_600_000;

/** What the service is made of. */
export interface Parts {
  config: Config;
  /** the public origin */
  baseUrl: string;
  db: Db;
  /** where searches read, apart from what writes; without it they share `db` */
  searchDb?: Db;
  clock: Clock;
  keyring: Keyring;
  log: Logger;
  chain: ChainFacts;
  chainReader: ReaderFor;
  /** readers' way to ask the chain */
  readChain: Rpc;
  readiness: readonly ReadinessPart[];
  /** for /metrics and /status */
  vitals?: { read: ReadVitals; metrics: Metrics };
  traces?: Traces;
  /** a connection without a statement timeout */
  maintenance?: Db;
  /** counts requests together with other processes */
  redis?: Redis;
  /** what requests to others' hosts trust and wait for beyond the settings (tests) */
  domainCheck?: Partial<GuardedOptions>;
  /** what draws preview pictures (tests) */
  pictures?: Pictures;
}

export interface Assembled {
  app: ReturnType<typeof createApp>;
  drain: Drain;
  tasks: readonly Task[];
  /** writes what is gathered in memory; for the end */
  flush: () => Promise<void>;
}

/** Puts the rooms together: one app, and what runs beside it by the clock. */
export function assemble(parts: Parts): Assembled {
  const { config, baseUrl, db, clock, keyring, log } = parts;
  const { limits } = config;
  const officialAccounts = createOfficialAccounts(db, config.officialAccounts);
  const view: ViewContext = {
    baseUrl,
    keyring,
    officialAccounts,
    explorerUrl: config.chain.explorerUrl,
    attestationExplorerUrl: config.chain.attestationExplorerUrl,
  };
  const rateLimiter = createRateLimiters(parts.redis);
  const reader = createEtchReader(db);
  const creator = createEtchCreator({ db, clock, keyring, limits, reader });
  const promises = createPromises(keyring);
  const verifier = createEtchVerifier({
    reader,
    clock,
    view,
    chain: parts.chain,
  });
  const chainReads = createChainReads({
    reader: parts.chainReader,
    perAddress: rateLimiter({
      name: 'rpc',
      limit: limits.rpcPerMinute,
      seconds: 60,
      what: 'chain reads from this address',
    }),
    together: rateLimiter({
      name: 'chain reads',
      limit: limits.chainReadsPerMinute,
      seconds: 60,
      what: 'chain reads from all addresses together',
    }),
  });
  const keyUses = createKeyUses(db, clock);
  const vacuum = createVacuum(db, parts.maintenance);
  const identity = openIdentity({ config, baseUrl, db, clock, keyring, log });

  const discovery: SearchDependencies = {
    searchDb: createSearchDb(parts.searchDb ?? db),
    freshness: createFreshness(db, (now) => revealDueEtches(db, keyring, now)),
    clock,
    known: createKnownTotals(),
    view,
  };

  const anonymousMeter = rateLimiter({
    name: 'anonymous',
    limit: limits.anonPerMinute,
    seconds: 60,
    what: 'signed-out requests from this address',
  });
  const pictures = parts.pictures ?? createPictures(log);
  const pages: PageParts = {
    baseUrl,
    db,
    clock,
    view,
    reader,
    verifier,
    chainReads,
    discovery,
    chain: parts.chain,
    anchorSeconds: config.chain.intervalSeconds,
    anonymousMeter,
    pictures,
    cardMeter: rateLimiter({
      name: 'card',
      limit: limits.cardsPerMinute,
      seconds: 60,
      what: 'preview pictures drawn for this address',
    }),
    creator,
    limits,
    social: identity.social,
    web: identity.web,
    sessionMaxSeconds: config.identity.sessionMaxSeconds,
  };

  const guard: GuardedOptions = { testHosts: config.domainCheckTestHosts, ...parts.domainCheck };
  // Known only once the app is there, and asked only by requests to it.
  const opened: { drain?: Drain; streams?: Streams } = {};
  const authenticator = createAuthenticator(db, identity.sessions);
  const app = createApp({
    log,
    trustProxy: config.trustProxy,
    ...(parts.traces && { traces: parts.traces }),
    checks: {
      authenticator,
      keyMeter: rateLimiter({
        name: 'key',
        limit: limits.keyPerMinute,
        seconds: 60,
        what: 'requests with this API key',
      }),
      anonymousMeter,
      noteKeyUse: (keyId) => keyUses.note(keyId),
    },
    operations(api) {
      mountService(api, baseUrl);
      mountAgents(api, {
        db,
        clock,
        registrationMeter: rateLimiter({
          name: 'registration',
          limit: limits.registrationsPerHour,
          seconds: 3600,
          what: 'registrations from this address',
        }),
        failureMeter: rateLimiter({
          name: 'failed registration',
          limit: limits.failedRegistrationsPerHour,
          seconds: 3600,
          what: 'registrations from this address that failed',
        }),
        domainCheck: guard,
      });
      mountAccount(api, { db, clock, limits, social: identity.social });
      mountEtches(api, { db, clock, creator, reader, view, promises });
      mountVerification(api, verifier, chainReads);
      mountChallenges(api, { db, clock, limits, view });
      mountBatches(api, { db, keyring });
      mountSearch(api, discovery);
      mountFeed(api, discovery);
      mountRecords(api, { db, clock, view });
      mountFollows(api, { db, clock, view, limits });
      mountEvents(api, { db, clock, keyring, view, webhooks: config.webhooks });
      mountGuide(api, {
        db,
        clock,
        settings: config.guide,
        view,
        meter: rateLimiter({
          name: 'guide',
          limit: limits.guidePerHour,
          seconds: 3600,
          what: 'signed-out answers from this address',
        }),
      });
    },
    unknown: answerUnknownPage(pages),
    outside(root) {
      if (parts.vitals) {
        mountMetrics(root, parts.vitals.metrics);
        mountStatus(root, pages, parts.vitals.read);
      }
      mountHealth(root, parts.readiness, () => opened.drain?.isDraining() ?? false);
      mountIdentity(root, {
        baseUrl,
        loopback: config.loopback,
        embedded: identity.embedded,
        keyring,
        log,
        site: () => siteOf(pages),
      });
      mountPages(root, pages);
      opened.streams = mountLive(root, { db, clock, log, limits: config.live });
      mountRawRecord(root, { db, clock, view });
      mountLlms(root, { baseUrl, limits, devnet: config.chain.embedded });
      mountWellKnown(root, {
        chain: parts.chain,
        promiseKeys: promises.keys,
        identity: programSignIn(config, baseUrl, identity.embedded),
      });
      mountMcp(root, {
        baseUrl,
        authenticator,
        meter: rateLimiter({
          name: 'mcp',
          limit: limits.mcpPerMinute,
          seconds: 60,
          what: 'messages to the tools from this address',
        }),
      });
      mountRpc(root, {
        rpc: parts.readChain,
        contract: parts.chain.contract,
        reads: chainReads,
      });
    },
  });
  const drain = (opened.drain = addDrain(app, () => opened.streams?.close()));

  const tasks: Task[] = [
    {
      name: 'reveal',
      everySeconds: 5,
      run: async () => {
        await revealDueEtches(db, keyring, clock.now(), (etches) =>
          log.error({ etches }, 'sealed texts that no key opens were set aside: they cannot be shown'),
        );
      },
    },
    { name: 'search', everySeconds: 0.25, run: async () => void (await indexQueued(db)) },
    { name: 'search names', everySeconds: 300, run: () => repairNames(db) },
    { name: 'forget sessions', everySeconds: 600, run: async () => identity.web.sessions?.forget() },
    { name: 'official accounts', everySeconds: 10, run: () => officialAccounts.refresh() },
    { name: 'key uses', everySeconds: 10, run: () => keyUses.flush() },
    {
      name: 'events',
      everySeconds: 1,
      run: async () => void (await collectEvents(db, clock.now(), queueDeliveries)),
    },
    ...(config.webhooks.enabled
      ? [
          {
            name: 'webhooks',
            everySeconds: 1,
            run: () => deliverDue({ db, clock, keyring, view, guard, log }),
          },
        ]
      : []),
    {
      name: 'forget events',
      everySeconds: 600,
      run: async () => {
        const before = toTime(clock.now() - config.eventsKeptDays * DAY_MS);
        await forgetEvents(db, before);
        await forgetDeliveries(db, before);
        await queueMissed(db, toTime(clock.now()));
      },
    },
    { name: 'vacuum', everySeconds: 60, run: vacuum },
    {
      name: 'forget signatures',
      everySeconds: 3_600,
      run: () => forgetSignatures(db, toTime(clock.now() - 4 * SIGNATURE_WINDOW_MS)),
    },
  ];
  return { app, drain, tasks, flush: () => keyUses.flush() };
}
