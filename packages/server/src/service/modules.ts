import { dirname, join } from 'node:path';
import { createKeyUses } from '../accounts/keys.ts';
import { createOfficialAccounts } from '../accounts/official.ts';
import { createRevocationFile } from '../accounts/revocations.ts';
import { createEtchCreator } from '../acts/create.ts';
import { createErasureFile } from '../acts/erasures.ts';
import { revealDueEtches } from '../acts/reveal.ts';
import { createBeacons } from '../etches/beacons/beacons.ts';
import {
  createFreshness,
  createKnownTotals,
  createSearchDb,
  type SearchDependencies,
} from '../discovery/search-db.ts';
import { findFormer } from '../etches/store.ts';
import { createPromises } from '../etches/promise.ts';
import { createEtchReader } from '../etches/read.ts';
import { createTimelock } from '../etches/timelock.ts';
import { createEtchVerifier } from '../etches/verify.ts';
import type { ViewContext } from '../etches/view.ts';
import { createSlots } from '../platform/flow/slots.ts';
import { createChainReads, createMeters } from '../http/rate-limits.ts';
import type { GuardedOptions } from '../platform/outgoing/guarded-request.ts';
import { createTreeLog } from '../proofs/log/tree-log.ts';
import { openIdentity } from './identity.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { createPictures } from '../http/pages/pictures.ts';

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
  const etches = openEtches(dependencies, view);
  const guard: GuardedOptions = { testHosts: config.domainCheckTestHosts, ...dependencies.test?.guard };
  return {
    view,
    accounts: { official, keyUses: createKeyUses(db, clock) },
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
    chainReads: createChainReads({
      reader: dependencies.chain.reader,
      perAddress: meters.rpc,
      together: meters.chainReads,
    }),
    guard,
    meters,
    pictures: dependencies.test?.pictures ?? createPictures(log),
  };
}

export type Modules = ReturnType<typeof openModules>;

function openEtches(
  { config, baseUrl, db, clock, keyring, chain, log }: ServiceDependencies,
  view: ViewContext,
) {
  const reader = createEtchReader(db);
  const promises = createPromises(keyring);
  const treeLog = createTreeLog(keyring, baseUrl);
  return {
    reader,
    creator: createEtchCreator({ db, clock, keyring, limits: config.limits, reader, promises }),
    verifier: createEtchVerifier({
      ...{ reader, clock, view, chain: chain.facts },
      formerOf: async (id) => (await findFormer(db, [id])).get(id) ?? [],
    }),
    promises,
    treeLog,
    timelock: createTimelock(log),
  };
}
