import type { FastifyRequest } from 'fastify';
import type { SearchDependencies } from '../discovery/dependencies.ts';
import { addressKey } from './address.ts';

/** What searches take, counted by the address that asks: a storm from one leaves places to others. */
export function counted(discovery: SearchDependencies, { ip }: FastifyRequest): SearchDependencies {
  const { searchDb, standby } = discovery;
  const who = addressKey(ip);
  return {
    ...discovery,
    searchDb: searchDb.by(who),
    ...(standby && { standby: { ...standby, searchDb: standby.searchDb.by(who) } }),
  };
}
