import { type Site, SITE_NOTICES } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { ChainUnavailable } from '../../chain/port.ts';
import type { Parts } from '../parts.ts';
import { assets } from './assets.ts';
import { etchedOf, themeOf } from './cookies.ts';

export type SiteParts = Pick<Parts, 'baseUrl' | 'chain' | 'config' | 'clock'>;

export function siteFor(parts: SiteParts, request: FastifyRequest, chainId?: number): Site {
  const theme = themeOf(parts.baseUrl, request);
  const site = { ...siteOf(parts, chainId), ...(theme && { theme }) };
  if (!request.session) return site;
  const { username, display_name: displayName } = request.session.caller.author;
  const etched = etchedOf(parts.baseUrl, request);
  const news = request.news ?? 0;
  const notice = keyIn(SITE_NOTICES, (request.query as { notice?: unknown } | undefined)?.notice);
  return {
    ...site,
    ...(notice && { notice }),
    viewer: { username, displayName, ...(etched && { etched }), ...(news > 0 && { news }) },
  };
}

/** A fixed list of words keeps links from making a page show other text. */
export const keyIn = <Words extends object>(words: Words, name: unknown): keyof Words | undefined =>
  typeof name === 'string' && Object.hasOwn(words, name) ? (name as keyof Words) : undefined;

export function siteOf({ baseUrl, chain: { facts }, config, clock }: SiteParts, chainId?: number): Site {
  const { name, embedded, contract, schemaUid, relayer, publicRpcUrl: rpcUrl } = facts;
  return {
    baseUrl,
    chain: { name, embedded, id: chainId ?? null, contract, schemaUid, relayer, rpcUrl },
    files: assets().urls,
    anchorSeconds: config.chain.intervalSeconds,
    drand: config.drandChain,
    operatorNotice: config.siteNotice,
    // Some sites are made once and passed on: `now` must stay current.
    get now() {
      return clock.now();
    },
  };
}

/** Adds the chain's id, which is undefined until the chain was reached once. */
export async function siteWithChain(parts: SiteParts, request?: FastifyRequest): Promise<Site> {
  const chainId = await parts.chain.facts.chainId().catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return undefined;
    throw error;
  });
  return request ? siteFor(parts, request, chainId) : siteOf(parts, chainId);
}
