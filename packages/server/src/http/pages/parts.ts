import type { DrandChain } from '@svc/protocol/timelock';
import { type Site, SITE_NOTICES, type SiteNotice } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import type { SocialSync } from '../../accounts/social-sync.ts';
import type { EtchCreator } from '../../acts/create.ts';
import { ChainUnavailable } from '../../chain/port.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { SearchDependencies } from '../../discovery/search-db.ts';
import type { OpeningDependencies } from '../../etches/opening.ts';
import type { EtchReader } from '../../etches/read.ts';
import type { AnchoringChain, EtchVerifier } from '../../etches/verify.ts';
import type { ViewContext } from '../../etches/view.ts';
import type { EvidenceDependencies } from '../../proofs/evidence/answer.ts';
import type { LastAudit } from '../../records/audit-store.ts';
import type { WebSignIn } from '../../identity/web-session/open.ts';
import type { Config, Limits } from '../../settings/config.ts';
import type { Standby } from '../../platform/standby/standby.ts';
import type { AttemptParts } from '../../notify/webhooks/attempt.ts';
import type { SeenTree } from '../../proofs/log/checkpoints.ts';
import type { ChainReads, RateLimiter } from '../rate-limits.ts';
import { assets } from './assets.ts';
import { etchedOf, themeOf } from './cookies.ts';
import type { Pictures } from './pictures.ts';

export interface SiteParts {
  baseUrl: string;
  chain: AnchoringChain;
  anchorSeconds: number;
  notice: string | undefined;
  /** without it, the pages offer no openings and no blind seals */
  drand: DrandChain | undefined;
  readonly now: number;
}

export interface Facts {
  db: Db;
  clock: Clock;
  view: ViewContext;
  standby?: Standby | undefined;
}

export interface PageParts {
  site: SiteParts;
  about: {
    securityContact: string | undefined;
    info: () => Promise<object>;
  };
  facts: Facts;
  etches: { reader: EtchReader; creator: EtchCreator; verifier: EtchVerifier };
  chainReads: ChainReads;
  evidence: EvidenceDependencies;
  lastAudit: LastAudit;
  /** time at which the witnesses of WITNESS_POLICY had seen the etch's tree; undefined without a policy */
  seen: (etchId: string) => Promise<SeenTree | undefined>;
  openings: OpeningDependencies;
  openingMeter: RateLimiter;
  webhooks: Config['webhooks'] & Omit<AttemptParts, 'db' | 'clock'>;
  discovery: SearchDependencies;
  limits: Limits;
  anonymousMeter: RateLimiter;
  cards: { pictures: Pictures; meter: RateLimiter };
  signIn: { web: WebSignIn; social: SocialSync; sessionMaxSeconds: number };
}

export function siteFor(parts: SiteParts, request: FastifyRequest, chainId?: number): Site {
  const theme = themeOf(parts.baseUrl, request);
  const site = { ...siteOf(parts, chainId), ...(theme && { theme }) };
  if (!request.session) return site;
  const { username, display_name: displayName } = request.session.caller.author;
  const etched = etchedOf(parts.baseUrl, request);
  const news = request.news ?? 0;
  const notice = noticeOf(request.query as { notice?: unknown } | undefined);
  return {
    ...site,
    ...(notice && { notice }),
    viewer: { username, displayName, ...(etched && { etched }), ...(news > 0 && { news }) },
  };
}

/** The fixed list keeps links from making the page show other text. */
const noticeOf = (query: { notice?: unknown } | undefined): SiteNotice | undefined =>
  typeof query?.notice === 'string' && Object.hasOwn(SITE_NOTICES, query.notice)
    ? (query.notice as SiteNotice)
    : undefined;

export function siteOf(parts: SiteParts, chainId?: number): Site {
  const { baseUrl, chain, anchorSeconds, drand, notice } = parts;
  const { name, embedded, contract, schemaUid, relayer, publicRpcUrl: rpcUrl } = chain;
  return {
    baseUrl,
    chain: { name, embedded, id: chainId ?? null, contract, schemaUid, relayer, rpcUrl },
    files: assets().urls,
    anchorSeconds,
    drand,
    operatorNotice: notice,
    // Some parts are made once and passed on: `now` must stay current.
    get now() {
      return parts.now;
    },
  };
}

/** Adds the chain's id, which is undefined until the chain was reached once. */
export async function siteWithChain(parts: SiteParts, request?: FastifyRequest): Promise<Site> {
  const site = (chainId?: number): Site =>
    request ? siteFor(parts, request, chainId) : siteOf(parts, chainId);
  try {
    return site(await parts.chain.chainId());
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    return site();
  }
}
