import type { FastifyInstance } from 'fastify';
import { BUILD } from '../settings/version.ts';
import { checkParts, type ReadinessPart } from '../vitals/readiness.ts';

/** `/healthz`: the process runs. `/readyz`: every part works, or 503 with the name of the failing part (docs/operating/monitoring.md). */
export function mountHealth(
  app: FastifyInstance,
  parts: readonly ReadinessPart[],
  isDraining: () => boolean,
): void {
  app.get('/healthz', async () => ({ status: 'ok', ...BUILD }));

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
