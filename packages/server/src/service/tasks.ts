import { dirname } from 'node:path';
import { checkDueDomains } from '../accounts/vouching.ts';
import { tidyGuesses } from '../accounts/guesses.ts';
import { noteMissedKeys } from '../accounts/revocations.ts';
import { forgetSignatures } from '../accounts/store.ts';
import { revealDueEtches } from '../acts/reveal.ts';
import { createIdleScrub } from '../acts/scrub/idle.ts';
import { createVacuum } from '../acts/vacuum.ts';
import { toTime } from '../db/clock.ts';
import { collectEvents, queueMissed } from '../events/collect-store.ts';
import { EVENTS_KEPT_DAYS, forgetEvents } from '../events/event-store.ts';
import type { Activity } from '../platform/flow/activity.ts';
import { createProver } from '../proofs/evidence/prove.ts';
import { queueMissing } from '../proofs/evidence/store.ts';
import { forgetEndedSessions } from '../identity/revocation-store.ts';
import { SIGNATURE_WINDOW_MS } from '../identity/signed-request.ts';
import type { Task } from '../platform/scheduler/scheduler.ts';
import { findResolved } from '../records/scores/resolution.ts';
import { indexQueued } from '../search-index/index-store.ts';
import { repairNames } from '../search-index/names-store.ts';
import { createEarlierSearch } from '../tombstones/earlier.ts';
import { lookForTombstones } from '../tombstones/match.ts';
import { queueMissedWitnesses } from '../proofs/witnesses/store.ts';
import { createOtsStamper, OTS } from '../proofs/witnesses/ots.ts';
import { createTimestamper, TIMESTAMPS } from '../proofs/witnesses/timestamps.ts';
import { createLogPublisher } from '../proofs/log/witnessed-log.ts';
import { deliverDue } from '../notify/webhooks/deliver.ts';
import { forgetDeliveries, queueDeliveries } from '../notify/webhooks/delivery-store.ts';
import { forgetOldSecrets } from '../notify/webhooks/store.ts';
import type { ServiceDependencies } from './dependencies.ts';
import type { Modules } from './modules.ts';

const DAY_MS = 24 * 3_600_000;
/** A scrub blocks the embedded database. */
const IDLE_MS = 30_000;
const LONGEST_SESSION_MS = 365 * DAY_MS;

export function createTasks(
  { config, db, clock, keyring, log, apart, standby, chain }: ServiceDependencies,
  { view, accounts, etches, ledgers, identity, guard }: Modules,
  activity: Pick<Activity, 'quietFor'>,
): readonly Task[] {
  const prove = createProver({
    db,
    now: () => clock.now(),
    rpc: chain.background,
    where: chain.facts,
    log,
  });
  return [
    { name: 'clock', everySeconds: 5, everywhere: true, run: () => clock.measure() },
    {
      name: 'reveal',
      everySeconds: 5,
      run: async () => {
        await revealDueEtches(db, keyring, clock.now(), (etches) =>
          log.error(
            { etches },
            'sealed texts that no key of SECRET_KEYS decrypts were set aside: they cannot be revealed',
          ),
        );
      },
    },
    { name: 'search', everySeconds: 0.25, run: async () => void (await indexQueued(db)) },
    ...(standby
      ? [{ name: 'standby', everySeconds: 1, everywhere: true as const, run: () => standby.watch() }]
      : []),
    ...(identity.reachIssuer ? [{ name: 'issuer', everySeconds: 60, run: identity.reachIssuer }] : []),
    { name: 'search names', everySeconds: 300, run: () => repairNames(db) },
    { name: 'forget sessions', everySeconds: 600, run: async () => identity.web.sessions?.forget() },
    { name: 'official accounts', everySeconds: 10, everywhere: true, run: () => accounts.official.refresh() },
    { name: 'key uses', everySeconds: 10, everywhere: true, run: () => accounts.keyUses.flush() },
    {
      name: 'events',
      everySeconds: 1,
      run: async () => {
        const now = clock.now();
        await collectEvents(db, now, {
          onNewEvents: queueDeliveries,
          findResolved: (tx, etchId) => findResolved(tx, etchId, { keyring, now }),
        });
      },
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
        const before = toTime(clock.now() - EVENTS_KEPT_DAYS * DAY_MS);
        await forgetEvents(db, before);
        await forgetDeliveries(db, before);
        await forgetOldSecrets(db, toTime(clock.now()));
        await queueMissed(db, toTime(clock.now()));
      },
    },
    { name: 'evidence', everySeconds: 2, run: prove },
    { name: 'missing evidence', everySeconds: 600, run: () => queueMissing(db) },
    ...timestampTasks({ config, db, clock, log }),
    ...otsTasks({ config, db, clock, log }),
    {
      name: 'log of trees',
      everySeconds: 1,
      run: createLogPublisher({
        ...{
          db,
          log,
          treeLog: etches.treeLog,
          policy: config.witnessPolicy,
          ledgers: dirname(config.erasureLedger),
        },
        now: () => clock.now(),
      }),
    },
    ...(db.engine === 'pglite'
      ? [
          {
            name: 'scrub',
            everySeconds: 60,
            run: createIdleScrub({ db, isIdle: () => activity.quietFor() > IDLE_MS, log }),
          },
        ]
      : []),
    { name: 'earlier attestations', everySeconds: 60, run: createEarlierSearch(db, chain.port, log) },
    { name: 'tombstones', everySeconds: 60, run: () => lookForTombstones(db, chain.port, keyring, log) },
    { name: 'erasure ledger', everySeconds: 5, run: async () => void (await ledgers.erasures()) },
    { name: 'revocation ledger', everySeconds: 5, run: async () => void (await ledgers.revocations()) },
    { name: 'guesses', everySeconds: 3_600, run: () => tidyGuesses(db, clock.now()) },
    { name: 'vacuum', everySeconds: 60, run: createVacuum(db, apart?.maintenance) },
    { name: 'domains', everySeconds: 60, run: () => checkDueDomains({ db, clock, guard, log }) },
    {
      name: 'revocations',
      everySeconds: 3_600,
      run: async () => {
        await noteMissedKeys(db);
        await forgetEndedSessions(db, toTime(clock.now() - LONGEST_SESSION_MS));
      },
    },
    {
      name: 'forget signatures',
      everySeconds: 3_600,
      run: () => forgetSignatures(db, toTime(clock.now() - 4 * SIGNATURE_WINDOW_MS)),
    },
  ];
}

function timestampTasks({
  config,
  db,
  clock,
  log,
}: Pick<ServiceDependencies, 'config' | 'db' | 'clock' | 'log'>): readonly Task[] {
  const { tsaCertificates: certificates, secrets } = config;
  if (certificates === undefined || secrets.tsaUrls === undefined) return [];
  const authorities = { urls: secrets.tsaUrls, certificates };
  return [
    {
      name: 'time stamps',
      everySeconds: 5,
      run: createTimestamper({ db, now: () => clock.now(), authorities, log }),
    },
    {
      name: 'missed time stamps',
      everySeconds: 600,
      run: () => queueMissedWitnesses(db, [TIMESTAMPS], toTime(clock.now())),
    },
  ];
}

function otsTasks({
  config: { otsCalendars: calendars },
  db,
  clock,
  log,
}: Pick<ServiceDependencies, 'config' | 'db' | 'clock' | 'log'>): readonly Task[] {
  if (calendars === undefined) return [];
  const now = () => clock.now();
  return [
    { name: 'OpenTimestamps', everySeconds: 5, run: createOtsStamper({ db, now, calendars, log }) },
    {
      name: 'missed OpenTimestamps',
      everySeconds: 600,
      run: () => queueMissedWitnesses(db, [OTS], toTime(clock.now())),
    },
  ];
}
