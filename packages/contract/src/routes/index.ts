import type { Static, TSchema } from 'typebox';
import { accountRoutes } from './account.ts';
import { agentRoutes } from './agents.ts';
import { batchRoutes } from './batches.ts';
import { challengeRoutes } from './challenges.ts';
import { etchRoutes } from './etches.ts';
import { eventRoutes } from './events.ts';
import { followRoutes } from './follows.ts';
import { guideRoutes } from './guide.ts';
import { recordRoutes } from './records.ts';
import type { Route } from './route.ts';
import { searchRoutes } from './search.ts';
import { serviceRoutes } from './service.ts';
import { verificationRoutes } from './verification.ts';

/** Every operation of the API, by its id: what is served, documented and tested comes from this table. */
export const ROUTES = {
  ...etchRoutes,
  ...verificationRoutes,
  ...batchRoutes,
  ...challengeRoutes,
  ...searchRoutes,
  ...recordRoutes,
  ...accountRoutes,
  ...followRoutes,
  ...eventRoutes,
  ...guideRoutes,
  ...agentRoutes,
  ...serviceRoutes,
};

/** The same table as a list. */
export const ROUTE_LIST: readonly Route[] = Object.freeze(Object.values(ROUTES));

export type OperationId = keyof typeof ROUTES;

type Part<Id extends OperationId, K extends string> = (typeof ROUTES)[Id] extends { [P in K]: infer S }
  ? S extends TSchema
    ? Static<S>
    : never
  : undefined;

/** The validated body, query, params of an operation, and the body of its success. */
export type BodyOf<Id extends OperationId> = Part<Id, 'body'>;
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>;
export type ParamsOf<Id extends OperationId> = Part<Id, 'params'>;
export type SuccessOf<Id extends OperationId> = (typeof ROUTES)[Id]['success'] extends {
  schema: infer S extends TSchema;
}
  ? Static<S>
  : never;
