import { type Activity, createActivity } from '../flow/activity.ts';
import { createApp } from '../http/app.ts';
import { addDrain, type Drain } from '../http/drain.ts';
import type { Streams } from '../http/live/streams.ts';
import { answerUnknownPage } from '../http/pages/problems.ts';
import { watchActivity } from '../http/watch-activity.ts';
import type { Task } from '../scheduler/scheduler.ts';
import { mountApi } from './api.ts';
import { mountBesideApi } from './beside-api.ts';
import { createMeters } from './meters.ts';
import { createPageParts } from './pages.ts';
import type { Parts } from './parts.ts';
import { openRooms } from './rooms.ts';
import { createTasks } from './tasks.ts';

export interface Assembled {
  app: ReturnType<typeof createApp>;
  drain: Drain;
  tasks: readonly Task[];
  activity: Activity;
  /** Writes what is gathered in memory and what the ledgers lack. Call it at the end; it reports no failure. */
  flush: () => Promise<void>;
}

/** Puts the rooms together: one app, and what runs beside it by the clock. */
export function assemble(parts: Parts): Assembled {
  const meters = createMeters(parts.config.limits, parts);
  const rooms = openRooms(parts, meters);
  const pages = createPageParts(parts, rooms, meters);
  const { ledgers, accounts } = rooms;
  const { keyUses } = accounts;
  // Known only once the app is there, and asked only by requests to it.
  const opened: { drain?: Drain; streams?: Streams } = {};
  const isDraining = (): boolean => opened.drain?.isDraining() ?? false;

  const app = createApp({
    log: parts.log,
    trustProxy: parts.config.trustProxy,
    ...(parts.traces && { traces: parts.traces }),
    checks: {
      authenticator: rooms.identity.authenticator,
      keyMeter: meters.key,
      anonymousMeter: meters.anonymous,
      noteKeyUse: (keyId) => keyUses.note(keyId),
    },
    operations: (api) => mountApi(api, parts, rooms, meters),
    unknown: answerUnknownPage(pages),
    outside(root) {
      opened.streams = mountBesideApi(root, parts, rooms, meters, pages, isDraining);
    },
  });
  // With the embedded database this process alone makes work, so it may rest until the next request.
  const activity = createActivity(parts.db.engine === 'pglite');
  watchActivity(app, activity);
  const drain = (opened.drain = addDrain(app, () => opened.streams?.close()));
  return {
    app,
    drain,
    tasks: createTasks(parts, rooms, activity),
    activity,
    flush: async () =>
      void (await Promise.allSettled([keyUses.flush(), ledgers.erasures(), ledgers.revocations()])),
  };
}
