import type { FastifyRequest } from 'fastify';
import type { SearchDependencies } from '../discovery/search-db.ts';
import { addressKey } from './address.ts';

export function counted(discovery: SearchDependencies, { ip }: FastifyRequest): SearchDependencies {
  const { searchDb, standby } = discovery;
  const who = addressKey(ip);
  return {
    ...discovery,
    searchDb: searchDb.by(who),
    ...(standby && { standby: { ...standby, searchDb: standby.searchDb.by(who) } }),
  };
}
