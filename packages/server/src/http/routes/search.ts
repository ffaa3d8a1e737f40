import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { searchAccounts } from '../../discovery/accounts.ts';
import { searchChallenges } from '../../discovery/challenges.ts';
import { searchEtches, type SearchDependencies } from '../../discovery/search.ts';
import { operation } from '../operation.ts';

export function mountSearch(api: FastifyInstance, discovery: SearchDependencies): void {
  operation(api, ROUTES.searchEtches, ({ query, caller, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return searchEtches(discovery, caller?.userId, query);
  });

  operation(api, ROUTES.searchAccounts, ({ query }) => searchAccounts(discovery, query));

  operation(api, ROUTES.searchChallenges, ({ query }) => searchChallenges(discovery, query));
}
