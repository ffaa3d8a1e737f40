import type { FastifyInstance } from 'fastify';

/** What asks by the clock, and not because somebody wants something. */
const WATCHERS = /^\/(healthz|readyz|metrics)(\?|$)/;

/** How long nobody has asked for anything. @returns milliseconds */
export function watchQuiet(app: FastifyInstance, now = () => performance.now()): () => number {
  let asked = now();
  app.addHook('onRequest', (request, _reply, done) => {
    if (!WATCHERS.test(request.url)) asked = now();
    done();
  });
  return () => now() - asked;
}
