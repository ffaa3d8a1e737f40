import type { FastifyInstance } from 'fastify';
import type { Activity } from '../flow/activity.ts';

/** Monitors poll these paths; that does not mean the service is in use. */
const MONITORS = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Reports every request to `activity`, except those of monitors. */
export function watchActivity(app: FastifyInstance, activity: Pick<Activity, 'touch'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!MONITORS.test(request.url)) activity.touch();
    done();
  });
}
