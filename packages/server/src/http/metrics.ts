import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AnchoringStatus } from '../anchoring/index.ts';

/** How anchoring stands; `balance` in wei, null when the chain cannot be asked. */
export type MetricsSource = () => Promise<AnchoringStatus & { balance: bigint | null }>;

const WEI = 1e18;

/** `/metrics` in Prometheus' text form: requests by operation and status, and how anchoring stands. */
export function mountMetrics(app: FastifyInstance, anchoring: MetricsSource): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'svc_request_seconds',
    help: 'Time to answer a request, by operation of the contract and status',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config?.operation?.operationId ?? 'other';
    requests.observe({ operation, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
  });

  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const pending = gauge('svc_anchor_pending', 'Commitments and retractions that are not anchored');
  const halted = gauge(
    'svc_anchor_halted',
    'Of them, set aside because their rows do not match their hashes',
  );
  const oldest = gauge('svc_anchor_oldest_pending_seconds', 'Age of the oldest that waits');
  const open = gauge('svc_anchor_open_transactions', 'Transactions on their way');
  const failing = gauge('svc_anchor_failing', '1 while every attempt to anchor fails');
  const balance = gauge(
    'svc_relayer_balance_ether',
    "The relayer's balance in whole units of the chain's coin",
  );

  app.get('/metrics', async (_request, reply) => {
    const status = await anchoring();
    pending.set(status.pending);
    halted.set(status.halted);
    oldest.set(status.oldestPendingSeconds ?? 0);
    open.set(status.openTransactions);
    failing.set(status.failingSince === null ? 0 : 1);
    if (status.balance !== null) balance.set(Number(status.balance) / WEI);
    return reply.header('Content-Type', registry.contentType).send(await registry.metrics());
  });
}
