import type { Mountable } from '../http/app.ts';
import { mountAccount, mountFollows, mountGuide } from '../http/routes/account.ts';
import { mountAgents } from '../http/routes/agents.ts';
import { mountBatches } from '../http/routes/batches.ts';
import { mountBeacons, mountEtches, mountOpenings, mountVerification } from '../http/routes/etches.ts';
import { mountChallenges } from '../http/routes/challenges.ts';
import { mountEvents } from '../http/routes/events.ts';
import { mountFeed, mountSearch } from '../http/routes/search.ts';
import { mountRecords, mountScores } from '../http/routes/records.ts';
import { mountService } from '../http/routes/service.ts';
import type { Meters } from '../http/rate-limits.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { Modules } from './modules.ts';

export function mountApi(
  api: Mountable,
  dependencies: ServiceDependencies,
  modules: Modules,
  meters: Meters,
): void {
  const { config, db, clock, keyring } = dependencies;
  const { view, identity, etches, discovery, guard } = modules;
  const { limits } = config;
  mountService(api, dependencies.baseUrl);
  mountAgents(api, {
    db,
    clock,
    registrationMeter: meters.registration,
    failureMeter: meters.failedRegistration,
    domainCheck: guard,
    domainMeter: meters.domain,
  });
  mountAccount(api, { db, clock, limits, social: identity.social });
  mountEtches(api, { db, clock, view, ...etches });
  mountOpenings(api, {
    clock,
    keyring,
    ...etches,
    chain: config.drandChain,
    meter: meters.opening,
  });
  mountVerification(api, {
    verifier: etches.verifier,
    reads: modules.chainReads,
    evidence: { db, clock, where: dependencies.chain.facts, origin: etches.treeLog.origin },
  });
  mountBeacons(api, { beacons: modules.beacons, reads: modules.chainReads });
  mountChallenges(api, { db, clock, limits, view, standby: dependencies.standby });
  mountBatches(api, { db, keyring });
  mountSearch(api, discovery);
  mountFeed(api, discovery);
  mountRecords(api, { db, clock, view });
  mountScores(api, { db, clock, keyring, most: limits.scoreEtches });
  mountFollows(api, { db, clock, view, limits });
  mountEvents(api, { db, clock, keyring, view, guard, log: dependencies.log, webhooks: config.webhooks });
  mountGuide(api, { db, clock, settings: config.guide, view, meter: meters.guide });
}
