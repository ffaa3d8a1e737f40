import { openApiDocument, ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { operation, operations } from '../operation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { accountRoutes, agentRoutes, followRoutes, guideRoutes, mountGuideAnswers } from './own-account.ts';
import { batchRoutes, recordRoutes } from './records.ts';
import { challengeRoutes, searchRoutes } from './discovery.ts';
import { etchRoutes, proofRoutes } from './etches.ts';
import { eventRoutes, webhookRoutes } from './events.ts';

export function mountApi(api: FastifyInstance, deps: HttpDependencies): void {
  // Building the document takes 30 ms, so it is built at startup.
  const document = Buffer.from(JSON.stringify(openApiDocument({ baseUrl: deps.baseUrl })));
  api.addHook('onClose', () => deps.openings.timelock.close());
  operation(api, ROUTES.getOpenApi, ({ reply }) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
  for (const routes of [
    agentRoutes,
    accountRoutes,
    etchRoutes,
    proofRoutes,
    challengeRoutes,
    batchRoutes,
    searchRoutes,
    recordRoutes,
    followRoutes,
    eventRoutes,
    webhookRoutes,
    guideRoutes,
  ])
    operations(api, routes(deps));
  mountGuideAnswers(api, deps);
}
