import type { FastifyInstance } from 'fastify';
import type { Activity } from '../platform/flow/activity.ts';

/** Monitors poll these paths, so they do not count as use. */
const MONITORS = /^\/(healthz|readyz|metrics)(\?|$)/;

export function watchActivity(app: FastifyInstance, activity: Pick<Activity, 'touch'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!MONITORS.test(request.url)) activity.touch();
    done();
  });
}
