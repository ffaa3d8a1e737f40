import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { searchAccounts } from '../../discovery/accounts.ts';
import { searchChallenges } from '../../discovery/challenges.ts';
import type { SearchDependencies } from '../../discovery/search-db.ts';
import { searchEtches } from '../../discovery/search.ts';
import { counted } from '../counted.ts';
import { operation } from '../operation.ts';

export function mountSearch(api: FastifyInstance, discovery: SearchDependencies): void {
  operation(api, ROUTES.searchEtches, ({ query, caller, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return searchEtches(counted(discovery, request), caller?.userId, query);
  });

  operation(api, ROUTES.searchAccounts, ({ query, caller, request }) =>
    searchAccounts(counted(discovery, request), caller?.userId, query),
  );

  operation(api, ROUTES.searchChallenges, ({ query, caller, request }) =>
    searchChallenges(counted(discovery, request), caller?.userId, query),
  );
}
