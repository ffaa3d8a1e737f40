// Makes the modules of a service and hands lower ones the functions of higher ones.
import { dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { createKeyUses, createRevocationFile } from '../accounts/key-store.ts';
import { createOfficialAccounts } from '../accounts/official.ts';
import { createEtchCreator } from '../acts/create.ts';
import { createErasureFile } from '../acts/erasure-store.ts';
import { revealDueEtches } from '../acts/reveal-store.ts';
import { createBeacons } from '../etches/beacons/beacons.ts';
import {
  createFreshness,
  createKnownTotals,
  createSearchDb,
  type SearchDependencies,
} from '../discovery/search-db.ts';
import { createEtchReader, findFormer } from '../etches/store.ts';
import { createPromises } from '../etches/promise.ts';
import { createTimelock } from '../etches/timelock.ts';
import { type AnchoringChain, createEtchVerifier } from '../etches/verify.ts';
import type { ViewContext } from '../etches/view.ts';
import { createSlots } from '../platform/flow/slots.ts';
import { createChainReads, createMeters, type Meters } from '../http/rate-limits.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import { createIndexKeeper } from '../proofs/account-index/index-keeper.ts';
import { createIndexRecords } from '../proofs/account-index/index-records.ts';
import { createReadMaps } from '../proofs/account-index/read-maps.ts';
import { createTreeLog } from '../proofs/log/tree-log.ts';
import { createPictures, type Pictures } from '../http/pages/pictures.ts';
import type { ReaderFor } from '../chain/attestation-reader.ts';
import type { Rpc } from '../chain/client.ts';
import type { Chain } from '../chain/port.ts';
import type { Clock, DatabaseClock } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import type { Siblings } from './start/siblings.ts';
import type { Traces } from '../platform/traces/traced.ts';
import type { Metrics } from '../vitals/metrics.ts';
import type { ReadinessPart } from '../vitals/readiness.ts';
import type { ReadVitals } from '../vitals/vitals.ts';
import type { HttpDependencies, ProgramSignIn } from '../http/dependencies.ts';
import { createPeople, createSocialSync } from '../accounts/people-store.ts';
import { CLI_CLIENT, createEmbeddedIssuer, type EmbeddedIssuer } from '../identity/embedded/issuer.ts';
import type { Issuer } from '../identity/issuer.ts';
import { createOutsideIssuer, loadMetadata } from '../identity/outside-issuer.ts';
import { openSocialAdapter } from '../identity/social/adapter.ts';
import { openWebSignIn } from '../identity/web-session/open.ts';
import type { Config } from '../settings/config.ts';
import { createAuthenticator } from '../identity/authenticate.ts';

export function openModules(dependencies: ServiceDependencies) {
  const { config, baseUrl, db, clock, keyring, log } = dependencies;
  const meters = createMeters(config.limits, dependencies);
  const official = createOfficialAccounts(db, config.officialAccounts);
  const view: ViewContext = {
    baseUrl,
    keyring,
    officialAccounts: official,
    explorerUrl: config.chain.explorerUrl,
    attestationExplorerUrl: config.chain.attestationExplorerUrl,
    drand: config.drandChain,
  };
  const discovery: SearchDependencies = {
    searchDb: createSearchDb(dependencies.apart?.search ?? db),
    freshness: createFreshness(db, (now) => revealDueEtches(db, keyring, now)),
    clock,
    known: createKnownTotals(),
    view,
    ...(dependencies.standby && {
      standby: { reads: dependencies.standby, searchDb: createSearchDb(dependencies.standby.db) },
    }),
  };
  const etches = openEtches(dependencies, view, meters);
  const guard: GuardedOptions = { testHosts: config.domainCheckTestHosts, ...dependencies.test?.guard };
  return {
    view,
    official,
    keyUses: createKeyUses(db, clock),
    /** files outside the database, so that a restored backup does not undo erasures and revocations */
    ledgers: {
      erasures: createErasureFile(db, config.erasureLedger),
      revocations: createRevocationFile(db, config.revocationLedger),
    },
    identity: openIdentity(dependencies),
    etches,
    evidence: { db, clock, where: dependencies.chain.facts, origin: etches.treeLog.origin },
    lastAudit: { file: join(dirname(config.erasureLedger), 'last-audit.json'), baseUrl },
    openings: { clock, keyring, ...etches, chain: config.drandChain },
    beacons: createBeacons({
      clock,
      chain: config.drandChain,
      relays: config.secrets.drandUrls ?? [],
      timelock: etches.timelock,
      slots: createSlots({ slots: 4, queue: 32, patience: 5_000, what: 'rounds that relays are asked for' }),
      log,
    }),
    discovery,
    chainReads: createChainReads(dependencies.chain.reader, meters),
    guard,
    meters,
    pictures: dependencies.test?.pictures ?? createPictures(log),
  };
}

export type Modules = ReturnType<typeof openModules>;

function openEtches(
  { config, baseUrl, db, clock, keyring, chain, log }: ServiceDependencies,
  view: ViewContext,
  meters: Meters,
) {
  const reader = createEtchReader(db);
  const promises = createPromises(keyring);
  const treeLog = createTreeLog(keyring, baseUrl);
  const indexKeeper = createIndexKeeper({
    db,
    records: createIndexRecords(dirname(config.erasureLedger), treeLog.origin),
    log,
  });
  return {
    reader,
    creator: createEtchCreator({
      db,
      clock,
      keyring,
      limits: config.limits,
      reader,
      promises,
      countReplay: (userId) => meters.replay.take(userId),
    }),
    verifier: createEtchVerifier({
      reader,
      clock,
      view,
      chain: chain.facts,
      formerOf: async (id) => (await findFormer(db, [id])).get(id) ?? [],
    }),
    promises,
    treeLog,
    indexKeeper,
    indexMaps: createReadMaps(indexKeeper),
    timelock: createTimelock(log),
  };
}

export interface ServiceDependencies extends Pick<
  HttpDependencies,
  'config' | 'baseUrl' | 'keyring' | 'db' | 'standby'
> {
  clock: Clock & Pick<DatabaseClock, 'measure'>;
  log: Logger;
  /** If absent, `db` serves both. */
  apart?: {
    search: Db | undefined;
    /** without a statement timeout */
    maintenance: Db | undefined;
  };
  chain: {
    port: Chain;
    facts: AnchoringChain;
    reader: ReaderFor;
    rpc: Rpc;
    background: Rpc;
  };
  readiness: readonly ReadinessPart[];
  vitals?: { read: ReadVitals; metrics: Metrics };
  traces?: Traces;
  /** counts shared by several machines */
  redis?: Redis;
  /** other processes of this machine */
  siblings?: Siblings;
  test?: {
    guard?: Partial<GuardedOptions>;
    pictures?: Pictures;
  };
}

function openIdentity(dependencies: ServiceDependencies) {
  const { config, baseUrl, db, clock, keyring, log } = dependencies;
  const { identity } = config;
  const audience = identity.audience ?? baseUrl;
  const opened = (issuer?: Issuer, embedded?: EmbeddedIssuer, reachIssuer?: () => Promise<void>) => {
    const sessions = issuer && {
      issuer,
      people: createPeople({ db, clock, issuer, socialClaim: identity.social.claim }),
    };
    return {
      authenticator: createAuthenticator(db, sessions),
      embedded,
      /** undefined without IDENTITY_ISSUER. @throws ProviderUnreachable */
      reachIssuer,
      program: programSignIn(config, baseUrl, embedded),
      web: openWebSignIn(dependencies, sessions && { ...sessions, embedded }),
      social: createSocialSync({
        db,
        clock,
        log,
        provider: issuer && { adapter: openSocialAdapter(config, issuer), issuer },
      }),
    };
  };

  if (identity.issuer !== undefined) {
    const clients = [identity.clientId ?? identity.cliClientId, identity.cliClientId];
    const issuer = createOutsideIssuer({ url: identity.issuer, audience, clients, baseUrl, log });
    // Logs a wrong setting before the first sign-in.
    void issuer.prepare();
    const { issuer: url } = identity;
    return opened(issuer, undefined, async () => void (await loadMetadata(url)));
  }
  if (identity.embedded) {
    const embedded = createEmbeddedIssuer({ baseUrl, audience, db, keyring });
    log.warn(
      { issuer: embedded.url },
      'embedded identity provider: people sign in without a password; set IDENTITY_ISSUER to a real provider',
    );
    return opened(embedded, embedded);
  }
  log.warn(
    {},
    `people cannot sign in, agents can: set IDENTITY_ISSUER to an OpenID Connect issuer (${whyOff(config)})`,
  );
  return opened();
}

function programSignIn(
  { identity }: Config,
  baseUrl: string,
  embedded?: EmbeddedIssuer,
): ProgramSignIn | null {
  const { issuer, audience = baseUrl, cliClientId, scopes } = identity;
  if (issuer !== undefined) return { issuer, client_id: cliClientId, resource: audience, scope: scopes };
  return embedded
    ? { issuer: embedded.url, client_id: CLI_CLIENT.id, resource: baseUrl, scope: CLI_CLIENT.scopes }
    : null;
}

function whyOff({ production, loopback }: Config): string {
  const because = production
    ? 'NODE_ENV is production'
    : loopback
      ? 'IDENTITY_EMBEDDED is false'
      : 'HOST or BASE_URL is not loopback';
  return `the embedded identity provider is off because ${because}; IDENTITY_EMBEDDED=true enables it, for trials only`;
}
