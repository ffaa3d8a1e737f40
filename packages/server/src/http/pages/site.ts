// The site as every page shows it to its reader, and the cookies that need no session.
import { type Site, SITE_NOTICES, type Theme } from '@svc/web/site';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '@svc/contract';
import { ChainUnavailable } from '../../chain/port.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { assets } from './assets.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';

type SiteDependencies = Pick<HttpDependencies, 'baseUrl' | 'chain' | 'config' | 'clock'>;

export function siteFor(deps: SiteDependencies, request: FastifyRequest, chainId?: number): Site {
  const theme = themeOf(deps.baseUrl, request);
  const site = { ...siteOf(deps, chainId), ...(theme && { theme }) };
  if (!request.session) return site;
  const { username, display_name: displayName } = request.session.caller.author;
  const etched = etchedOf(deps.baseUrl, request);
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

export function siteOf(
  { baseUrl, chain: { facts }, config, clock }: SiteDependencies,
  chainId?: number,
): Site {
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
export async function siteWithChain(deps: SiteDependencies, request?: FastifyRequest): Promise<Site> {
  const chainId = await deps.chain.facts.chainId().catch((error: unknown) => {
    if (error instanceof ChainUnavailable) return undefined;
    throw error;
  });
  return request ? siteFor(deps, request, chainId) : siteOf(deps, chainId);
}

/** Cookies of the pages; the API reads none. Uses `__Host-` over https. Cookies ignore ports, so without https the name contains the port. */
export function cookieNames(baseUrl: string) {
  const { protocol, port } = new URL(baseUrl);
  const name = (what: string): string =>
    protocol === 'https:' ? `__Host-svc_${what}` : `svc_${what}${port && `_${port}`}`;
  return {
    session: name('session'),
    signIn: name('sign_in'),
    /** sign-out that the issuer has not confirmed */
    leaving: name('leaving'),
    once: name('once'),
    etched: name('etched'),
    theme: name('theme'),
    /** parts of one value, which only /write gets */
    drafts: [name('draft'), name('draft_more')].map((draft) => draft.replace('__Host-', '__Secure-')),
  };
}

/** Lifetimes; the session's is a setting. The privacy page lists all cookies. */
export const COOKIE_SECONDS = {
  signIn: 15 * 60,
  leaving: 5 * 60,
  once: 2 * 60,
  etched: 60,
  theme: 365 * 86_400,
  drafts: 30 * 60,
} as const;

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

export function setCookie(
  reply: FastifyReply,
  name: string,
  value: string,
  maxAgeSeconds: number,
  path = '/',
): void {
  const secure = name.startsWith('__') ? '; Secure' : '';
  void reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export const dropCookie = (reply: FastifyReply, name: string, path?: string): void =>
  setCookie(reply, name, '', 0, path);

/** Makes the next page delete the stored draft. */
export const noteEtched = (reply: FastifyReply, baseUrl: string, draft: string): void =>
  setCookie(reply, cookieNames(baseUrl).etched, draft, COOKIE_SECONDS.etched);

/** After the confirmation, Back sends the cookies with which the preview was stored (sendPage). */
export function dropEtched(baseUrl: string) {
  const { etched } = cookieNames(baseUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.method === 'GET' && readCookie(request, etched) !== undefined) dropCookie(reply, etched);
  };
}

function etchedOf(baseUrl: string, request: FastifyRequest): string | undefined {
  const draft = readCookie(request, cookieNames(baseUrl).etched);
  return draft !== undefined && isUuid(draft) ? draft : undefined;
}

interface ShownOnce<Value> {
  give(reply: FastifyReply, userId: string, value: Value): void;
  take(request: FastifyRequest, reply: FastifyReply, userId: string): Value | undefined;
}

/** The browser carries the encrypted value; the server does not store it. */
export const inCookie = <Value>(keyring: Keyring, purpose: 'sign-in' | 'web-session', boundTo: string) => ({
  close: (value: Value): string =>
    keyring.close(purpose, Buffer.from(JSON.stringify(value)), boundTo).toString('base64url'),
  open(closed: string | undefined): Value | undefined {
    try {
      const opened = keyring.open(purpose, Buffer.from(closed ?? '', 'base64url'), boundTo);
      return JSON.parse(opened.toString('utf8')) as Value;
    } catch {
      return undefined;
    }
  },
});

export function shownOnce<Value>(keyring: Keyring, baseUrl: string, kind: string): ShownOnce<Value> {
  const { once } = cookieNames(baseUrl);
  const boundTo = (userId: string) => inCookie<Value>(keyring, 'web-session', `${kind} of ${userId}`);
  return {
    give: (reply, userId, value) => setCookie(reply, once, boundTo(userId).close(value), COOKIE_SECONDS.once),
    take(request, reply, userId) {
      const value = boundTo(userId).open(readCookie(request, once));
      // A HEAD request keeps the value for the next GET.
      if (value !== undefined && request.method === 'GET') dropCookie(reply, once);
      return value;
    },
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    theme?: Theme | 'device' | null;
  }
}

export const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark';

/** The server renders the chosen theme, so that pages do not flash. */
function themeOf(baseUrl: string, request: FastifyRequest): Theme | undefined {
  if (request.theme) return isTheme(request.theme) ? request.theme : undefined;
  if (request.headers.cookie === undefined) return undefined;
  const chosen = readCookie(request, cookieNames(baseUrl).theme);
  return isTheme(chosen) ? chosen : undefined;
}
