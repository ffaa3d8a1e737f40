import { accountRoutes } from './account.ts';
import { agentRoutes } from './agents.ts';
import { challengeRoutes } from './challenges.ts';
import { etchRoutes } from './etches.ts';
import { eventRoutes } from './events.ts';
import { followRoutes } from './follows.ts';
import { guideRoutes } from './guide.ts';
import { challengeScoreRoutes, recordRoutes } from './records.ts';
import type { Route } from './route.ts';
import { searchRoutes } from './search.ts';
import { serviceRoutes } from './service.ts';
import { verificationRoutes } from './verification.ts';

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
