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
import type { Parts } from './parts.ts';
import type { Rooms } from './rooms.ts';

/** The operations of the contract. */
export function mountApi(api: Mountable, parts: Parts, rooms: Rooms, meters: Meters): void {
  const { config, db, clock, keyring } = parts;
  const { view, identity, etches, discovery, guard } = rooms;
  const { limits } = config;
  mountService(api, parts.baseUrl);
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
    reads: rooms.chainReads,
    evidence: { db, clock, where: parts.chain.facts },
  });
  mountBeacons(api, { beacons: rooms.beacons, reads: rooms.chainReads });
  mountChallenges(api, { db, clock, limits, view, standby: parts.standby });
  mountBatches(api, { db, keyring });
  mountSearch(api, discovery);
  mountFeed(api, discovery);
  mountRecords(api, { db, clock, view });
  mountScores(api, { db, clock, keyring, most: limits.scoreEtches });
  mountFollows(api, { db, clock, view, limits });
  mountEvents(api, { db, clock, keyring, view, guard, log: parts.log, webhooks: config.webhooks });
  mountGuide(api, { db, clock, settings: config.guide, view, meter: meters.guide });
}
