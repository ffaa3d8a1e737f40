// /healthz, /readyz and /metrics, and the spans and activity of all requests.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BUILD } from '../settings/version.ts';
import { checkParts, type ReadinessPart } from '../vitals/readiness.ts';
import type { Metrics } from '../vitals/metrics.ts';
import type { RequestSpan, Traces } from '../platform/traces/traced.ts';
import type { Activity } from '../platform/flow/activity.ts';

export function mountHealth(
  app: FastifyInstance,
  parts: readonly ReadinessPart[],
  isDraining: () => boolean,
): void {
  app.get('/healthz', async () => ({ status: 'ok', ...BUILD }));

  // `svc-admin doctor` reads this.
  app.get('/healthz/proxy', async (request, reply) => {
    void reply.header('Cache-Control', 'no-store');
    const hops = (request.ips?.length ?? 1) - 1;
    return {
      forwarded: request.headers['x-forwarded-for'] !== undefined,
      hops,
      address: hops > 0 ? request.ip : null,
    };
  });

  app.get('/readyz', async (_request, reply) => {
    const checked = await checkParts(parts);
    const checks = checked.map(
      ({ name, problem, facts }) =>
        [name, { ok: problem === undefined, ...(problem && { problem }), ...facts }] as const,
    );
    const failing = checked
      .filter(({ problem, optional }) => problem !== undefined && !optional)
      .map(({ name }) => name);
    if (isDraining()) failing.push('stopping');
    void reply.code(failing.length > 0 ? 503 : 200).header('Cache-Control', 'no-store');
    return {
      status: failing.length > 0 ? 'unavailable' : 'ready',
      failing,
      parts: Object.fromEntries(checks),
    };
  });
}

export function mountMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // A stream's duration is no response time.
    if (String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')) return done();
    const { config, url } = request.routeOptions;
    metrics.notes.request({
      operation: config?.operation?.operationId ?? url ?? 'other',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });

  app.get('/metrics', async (_request, reply) =>
    reply.header('Content-Type', metrics.contentType).send(await metrics.text()),
  );
}

/** Names spans by operation or path pattern, so that names contain no ids. */
export function addTraces(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const span = traces.request(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    spans.set(request, span);
    span.enter(done);
  });
  // The body arrives outside the request's context: enter the span again.
  app.addHook('preValidation', (request, _reply, done) => spans.get(request)!.enter(done));
  app.addHook('onResponse', async (request, reply) => {
    const { config, url } = request.routeOptions;
    spans.get(request)?.end(config?.operation?.operationId ?? url ?? 'other', reply.statusCode);
  });
}

/** Monitors poll these paths, so they do not count as use. */
const MONITORS = /^\/(healthz|readyz|metrics)(\?|$)/;

export function watchActivity(app: FastifyInstance, activity: Pick<Activity, 'touch'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (!MONITORS.test(request.url)) activity.touch();
    done();
  });
}
