import type { Mountable } from '../http/app.ts';
import { mountAccount } from '../http/routes/account.ts';
import { mountAgents } from '../http/routes/agents.ts';
import { mountBatches } from '../http/routes/batches.ts';
import { mountBeacons } from '../http/routes/beacons.ts';
import { mountChallenges } from '../http/routes/challenges.ts';
import { mountEtches } from '../http/routes/etches.ts';
import { mountEvents } from '../http/routes/events.ts';
import { mountFeed } from '../http/routes/feed.ts';
import { mountFollows } from '../http/routes/follows.ts';
import { mountOpenings } from '../http/routes/openings.ts';
import { mountGuide } from '../http/routes/guide.ts';
import { mountRecords } from '../http/routes/records.ts';
import { mountScores } from '../http/routes/scores.ts';
import { mountSearch } from '../http/routes/search.ts';
import { mountService } from '../http/routes/service.ts';
import { mountVerification } from '../http/routes/verification.ts';
import type { Meters } from './meters.ts';
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
