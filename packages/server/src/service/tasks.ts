// The tasks that the service runs at intervals.
import { dirname } from 'node:path';
import { checkDueDomains, forgetSignatures } from '../accounts/agent-store.ts';
import { tidyGuesses } from '../accounts/guess-store.ts';
import { noteMissedKeys } from '../accounts/key-store.ts';
import { revealDueEtches } from '../acts/reveal-store.ts';
import { createIdleScrub } from '../acts/scrub/idle.ts';
import { createVacuum } from '../acts/vacuum.ts';
import { toTime } from '../db/clock.ts';
import { collectEvents, queueMissed } from '../events/collect-store.ts';
import { EVENTS_KEPT_DAYS, forgetEvents } from '../events/event-store.ts';
import type { Activity } from '../platform/flow/activity.ts';
import { createProver } from '../proofs/evidence/prove.ts';
import { queueMissing } from '../proofs/evidence/store.ts';
import { forgetGrants } from '../identity/embedded/grant-store.ts';
import { forgetEndedSessions } from '../identity/revocation-store.ts';
import { SIGNATURE_WINDOW_MS } from '../identity/signed-request.ts';
import type { Task } from '../platform/scheduler/scheduler.ts';
import { findDecided } from '../records/scores/resolution.ts';
import { indexQueued } from '../search-index/index-store.ts';
import { repairNames } from '../search-index/names-store.ts';
import { createEarlierSearch } from '../tombstones/earlier-store.ts';
import { lookForTombstones } from '../tombstones/match-store.ts';
import { queueMissedWitnesses } from '../proofs/witnesses/store.ts';
import { createOtsStamper } from '../proofs/witnesses/ots.ts';
import { createTimestamper } from '../proofs/witnesses/timestamps.ts';
import { createLogPublisher } from '../proofs/log/witnessed-log.ts';
import { deliverDue, forgetDeliveries, queueDeliveries } from '../notify/webhooks/delivery-store.ts';
import { forgetOldSecrets } from '../notify/webhooks/secret-store.ts';
import { OTS, TSA } from '@svc/verifier/evidence';
import type { Modules, ServiceDependencies } from './modules.ts';

const DAY_MS = 24 * 3_600_000;
/** A scrub blocks the embedded database. */
const IDLE_MS = 30_000;
const LONGEST_SESSION_MS = 365 * DAY_MS;

export function createTasks(
  { config, db, clock, keyring, log, apart, standby, chain }: ServiceDependencies,
  { view, official, keyUses, etches, ledgers, identity, guard }: Modules,
  activity: Pick<Activity, 'quietFor'>,
): readonly Task[] {
  const { treeLog, indexKeeper: index } = etches;
  const { witnessPolicy: policy, tsaCertificates: certificates, otsCalendars: calendars = false } = config;
  const { tsaUrls: urls } = config.secrets;
  const authorities = certificates !== undefined && urls !== undefined && { urls, certificates };
  const folder = dirname(config.erasureLedger);
  const now = (): number => clock.now();
  const tasks: readonly (Task | false)[] = [
    everywhere(5, 'clock', () => clock.measure()),
    every(5, 'reveal', () =>
      revealDueEtches(db, keyring, now(), (etches) =>
        log.error(
          { etches },
          'sealed texts that no key of SECRET_KEYS decrypts were set aside: they cannot be revealed',
        ),
      ),
    ),
    every(0.25, 'search', () => indexQueued(db)),
    standby !== undefined && everywhere(1, 'standby', () => standby.watch()),
    identity.reachIssuer !== undefined && every(60, 'issuer', identity.reachIssuer),
    every(300, 'search names', () => repairNames(db)),
    every(600, 'forget sessions', async () => {
      await identity.web.sessions?.forget();
      await forgetGrants(db, toTime(now()));
    }),
    everywhere(10, 'official accounts', () => official.refresh()),
    everywhere(10, 'key uses', () => keyUses.flush()),
    every(1, 'events', () => {
      const at = now();
      return collectEvents(db, at, {
        onNewEvents: queueDeliveries,
        findDecided: (tx, etchId) => findDecided(tx, etchId, { keyring, now: at }),
      });
    }),
    config.webhooks.enabled &&
      every(1, 'webhooks', () => deliverDue({ db, clock, keyring, view, guard, log })),
    every(600, 'forget events', async () => {
      const before = toTime(now() - EVENTS_KEPT_DAYS * DAY_MS);
      await forgetEvents(db, before);
      await forgetDeliveries(db, before);
      await forgetOldSecrets(db, toTime(now()));
      await queueMissed(db, toTime(now()));
    }),
    every(2, 'evidence', createProver({ db, now, rpc: chain.background, where: chain.facts, log })),
    every(600, 'missing evidence', () => queueMissing(db)),
    authorities && every(5, 'time stamps', createTimestamper({ db, now, authorities, log })),
    authorities &&
      every(600, 'missed time stamps', () => queueMissedWitnesses(db, [TSA.witness], toTime(now()))),
    calendars && every(5, 'OpenTimestamps', createOtsStamper({ db, now, calendars, log })),
    calendars &&
      every(600, 'missed OpenTimestamps', () => queueMissedWitnesses(db, [OTS.witness], toTime(now()))),
    every(1, 'log of trees', createLogPublisher({ db, log, treeLog, index, policy, ledgers: folder, now })),
    db.engine === 'pglite' &&
      every(60, 'scrub', createIdleScrub({ db, isIdle: () => activity.quietFor() > IDLE_MS, log })),
    every(60, 'earlier attestations', createEarlierSearch(db, chain.port, log)),
    every(60, 'tombstones', () => lookForTombstones(db, chain.port, keyring, log)),
    every(5, 'erasure ledger', ledgers.erasures),
    every(5, 'revocation ledger', ledgers.revocations),
    every(3_600, 'guesses', () => tidyGuesses(db, now())),
    every(60, 'vacuum', createVacuum(db, apart?.maintenance)),
    every(60, 'domains', () => checkDueDomains({ db, clock, guard, log })),
    every(3_600, 'revocations', async () => {
      await noteMissedKeys(db);
      await forgetEndedSessions(db, toTime(now() - LONGEST_SESSION_MS));
    }),
    every(3_600, 'forget signatures', () => forgetSignatures(db, toTime(now() - 4 * SIGNATURE_WINDOW_MS))),
  ];
  return tasks.filter((task) => task !== false);
}

const every = (everySeconds: number, name: string, work: () => Promise<unknown>): Task => ({
  name,
  everySeconds,
  run: async () => void (await work()),
});

/** Every process of a machine runs these. */
const everywhere = (everySeconds: number, name: string, work: () => Promise<unknown>): Task => ({
  ...every(everySeconds, name, work),
  everywhere: true,
});
