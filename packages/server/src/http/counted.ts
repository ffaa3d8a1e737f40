import type { FastifyRequest } from 'fastify';
import type { SearchDependencies } from '../discovery/search.ts';
import { addressKey } from './address.ts';

/** What searches take, counted by the address that asks: a storm from one leaves places to others. */
export function counted(discovery: SearchDependencies, { ip }: FastifyRequest): SearchDependencies {
  return { ...discovery, searchDb: discovery.searchDb.by(addressKey(ip)) };
}
