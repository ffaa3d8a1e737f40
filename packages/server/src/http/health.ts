import type { FastifyInstance } from 'fastify';
import { BUILD } from '../settings/version.ts';
import { checkParts, type ReadinessPart } from '../vitals/readiness.ts';

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
