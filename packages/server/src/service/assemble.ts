// Makes the app, the tasks and the end of a service from its connections.
import { createApp } from '../http/app.ts';
import { addDrain, type Drain } from '../http/drain.ts';
import { mountIdentity } from '../http/identity/mount.ts';
import { mountLive, type Streams } from '../http/live/streams.ts';
import { mountLlms } from '../http/documents.ts';
import { mountMcp } from '../http/mcp/mount.ts';
import { mountHealth, mountMetrics, watchActivity } from '../http/monitoring.ts';
import { mountPages } from '../http/pages/mount.ts';
import { mountStatusPage } from '../http/pages/status.tsx';
import { answerUnknownPage } from '../http/pages/session.ts';
import type { HttpDependencies } from '../http/dependencies.ts';
import { mountApi } from '../http/routes/mount.ts';
import { mountRawRecord } from '../http/routes/records.ts';
import { mountRpc } from '../http/rpc.ts';
import { mountTreeLog, mountWellKnown } from '../http/public-files.ts';
import { type Activity, createActivity } from '../platform/flow/activity.ts';
import type { Task } from '../platform/scheduler/scheduler.ts';
import { openModules, type ServiceDependencies } from './modules.ts';
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
  const modules = openModules(dependencies);
  const deps: HttpDependencies = { ...dependencies, ...modules };
  const { ledgers, keyUses } = modules;
  const { vitals, readiness, siblings, traces } = dependencies;
  const opened: { drain?: Drain; streams?: Streams } = {};

  const app = createApp(deps, {
    traces,
    operations: (api) => mountApi(api, deps),
    unknown: answerUnknownPage(deps),
    outside(root) {
      if (vitals) {
        mountMetrics(root, vitals.metrics);
        mountStatusPage(root, deps, vitals.read);
      }
      mountHealth(root, readiness, () => opened.drain?.isDraining() ?? false);
      for (const mount of [
        mountIdentity,
        mountPages,
        mountRawRecord,
        mountLlms,
        mountWellKnown,
        mountTreeLog,
        mountMcp,
        mountRpc,
      ])
        mount(root, deps);
      opened.streams = mountLive(root, deps, siblings);
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
