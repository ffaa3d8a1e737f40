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
import { scoreRoutes } from './scores.ts';
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
  ...scoreRoutes,
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

type Part<K extends string> = {
  readonly [Id in OperationId]: (typeof ROUTES)[Id] extends { readonly [P in K]: infer S extends TSchema }
    ? Static<S>
    : undefined;
};
// Tables, not conditional types of an `Id`: a compiler that meets one of those compares all that typebox has, for seconds.
type Bodies = Part<'body'>;
type Queries = Part<'query'>;
type AllParams = Part<'params'>;
type Successes = {
  readonly [Id in OperationId]: (typeof ROUTES)[Id]['success'] extends {
    readonly schema: infer S extends TSchema;
  }
    ? Static<S>
    : never;
};

/** The validated body, query, params of an operation, and the body of its success. */
export type BodyOf<Id extends OperationId> = Bodies[Id];
export type QueryOf<Id extends OperationId> = Queries[Id];
export type ParamsOf<Id extends OperationId> = AllParams[Id];
export type SuccessOf<Id extends OperationId> = Successes[Id];
