import { type Activity, createActivity } from '../platform/flow/activity.ts';
import { createApp } from '../http/app.ts';
import { addDrain, type Drain } from '../http/drain.ts';
import type { Streams } from '../http/live/streams.ts';
import { answerUnknownPage } from '../http/pages/problems.ts';
import { watchActivity } from '../http/monitoring.ts';
import type { Task } from '../platform/scheduler/scheduler.ts';
import { mountApi } from './api.ts';
import { mountOtherRoutes } from './other-routes.ts';
import { createMeters } from '../http/rate-limits.ts';
import { createPageParts } from './pages.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { openModules } from './modules.ts';
import { createTasks } from './tasks.ts';

export interface Assembled {
  app: ReturnType<typeof createApp>;
  drain: Drain;
  tasks: readonly Task[];
  activity: Activity;
  /** Writes buffered counts and ledger entries at the end. Never fails. */
  flush: () => Promise<void>;
}

export function assemble(dependencies: ServiceDependencies): Assembled {
  const meters = createMeters(dependencies.config.limits, dependencies);
  const modules = openModules(dependencies, meters);
  const pages = createPageParts(dependencies, modules, meters);
  const { ledgers, accounts } = modules;
  const { keyUses } = accounts;
  const opened: { drain?: Drain; streams?: Streams } = {};
  const isDraining = (): boolean => opened.drain?.isDraining() ?? false;

  const app = createApp({
    log: dependencies.log,
    trustProxy: dependencies.config.trustProxy,
    ...(dependencies.traces && { traces: dependencies.traces }),
    checks: {
      authenticator: modules.identity.authenticator,
      keyMeter: meters.key,
      anonymousMeter: meters.anonymous,
      noteKeyUse: (keyId) => keyUses.note(keyId),
    },
    operations: (api) => mountApi(api, dependencies, modules, meters),
    unknown: answerUnknownPage(pages),
    outside(root) {
      opened.streams = mountOtherRoutes(root, dependencies, modules, meters, pages, isDraining);
    },
  });
  // With the embedded database, no other process causes work.
  const activity = createActivity(dependencies.db.engine === 'pglite');
  watchActivity(app, activity);
  const drain = (opened.drain = addDrain(app, () => opened.streams?.close()));
  return {
    app,
    drain,
    tasks: createTasks(dependencies, modules, activity),
    activity,
    flush: async () =>
      void (await Promise.allSettled([keyUses.flush(), ledgers.erasures(), ledgers.revocations()])),
  };
}
