import { Type } from 'typebox';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agents.ts';
import { challengeRoutes } from './challenges.ts';
import { etchRoutes } from './etches.ts';
import { eventRoutes } from './events.ts';
import { followRoutes } from './follows.ts';
import { guideRoutes } from './guide.ts';
import { challengeScoreRoutes, recordRoutes } from './records.ts';
import { GET, ok, type Route, routes } from './route.ts';
import { searchRoutes } from './search.ts';
import { verificationRoutes } from './verification.ts';

const serviceRoutes = routes('Service', {
  getOpenApi: GET('/openapi.json', 'public', 'Read the OpenAPI document', {
    success: ok(
      'The OpenAPI 3.1 document of the API.',
      Type.Object({
        openapi: Type.String({ pattern: '^3\\.1\\.', description: 'The version of OpenAPI.' }),
      }),
      { openapi: '3.1.0' },
    ),
    extra: true,
  }),
});

export const ROUTES = {
  ...etchRoutes,
  ...verificationRoutes,
  ...challengeRoutes,
  ...searchRoutes,
  ...recordRoutes,
  ...challengeScoreRoutes,
  ...accountRoutes,
  ...followRoutes,
  ...eventRoutes,
  ...guideRoutes,
  ...agentRoutes,
  ...serviceRoutes,
};

export const ROUTE_LIST: readonly Route[] = Object.freeze(Object.values(ROUTES));

export type OperationId = keyof typeof ROUTES;
