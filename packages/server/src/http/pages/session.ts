// The session of a page's reader: loads it, and requires it where a page needs it.
import type { FollowTarget } from '@svc/contract';
import { ETCH_NOTICES, type ReaderActions } from '@svc/web/parts/etch-actions';
import type { Following } from '@svc/web/parts/follow-button';
import { NEWS_COUNTED } from '@svc/web/site';
import { problemPage } from './problem.tsx';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import type { EtchRow } from '../../etches/row.ts';
import type { Caller } from '../../identity/caller.ts';
import type { WebSession } from '../../identity/web-session/sessions.ts';
import { newsCounted } from '../../notify/follows/inbox-store.ts';
import { isFollowed } from '../../notify/follows/store.ts';
import { Failure } from '../../platform/failure.ts';
import { isLoopback } from '../../settings/listen-address.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { addressKey } from '../rate-limits.ts';
import { cookieNames, keyIn, readCookie, siteFor } from './site.ts';
import { leaveOutEnd, leaveOutSlash, namedForm, seeOther, sendData, sendPage, wantedForm } from './send.ts';
import { answerFailure, answerUnknown, envelope } from '../errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session?: WebSession | null;
    sessionTrouble?: Error | null;
    news?: number | null;
  }
}

export class SignedOut extends Failure {
  constructor() {
    super('unauthorized', 'this page is for people who are signed in');
  }
}

/** Without a database, the page appears as if signed out. */
export function loadSession({ identity: { web }, baseUrl }: HttpDependencies) {
  const { session: name } = cookieNames(baseUrl);
  return async (request: FastifyRequest): Promise<void> => {
    if (!web.sessions || request.url.startsWith('/assets/')) return;
    const value = readCookie(request, name);
    if (value === undefined) return;
    try {
      request.session = (await web.sessions.find(value)) ?? null;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      request.sessionTrouble = error;
    }
  };
}

export function sessionOf({ session, sessionTrouble }: FastifyRequest): WebSession {
  if (sessionTrouble) throw sessionTrouble;
  if (!session) throw new SignedOut();
  return session;
}

/** For pages that a visitor may use too. */
export function visitorOf({ session, sessionTrouble }: FastifyRequest): Caller | undefined {
  if (sessionTrouble) throw sessionTrouble;
  return session?.caller;
}

export const callerOf = (request: FastifyRequest): Caller => sessionOf(request).caller;

/**
 * Redirects a page from another loopback name of this port (`localhost` for `127.0.0.1`) to `BASE_URL`: its forms would
 * be rejected, and a sign-in leads to `BASE_URL`, which gets no cookie of the other name.
 */
export function leadToBaseUrl(baseUrl: string) {
  const own = new URL(baseUrl);
  if (!isLoopback(own.hostname)) return async (): Promise<void> => undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { method, url, headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !/^\/(?!assets\/)/.test(url)) return undefined;
    const address = `${own.protocol}//${headers.host}`;
    const { hostname, port } = URL.canParse(address) ? new URL(address) : own;
    if (hostname === own.hostname || port !== own.port || !isLoopback(hostname)) return undefined;
    return namedForm(request) === 'html' ? seeOther(reply, own.origin + url) : undefined;
  };
}

/** A browser sends `Origin` or `Sec-Fetch-Site`; a client that sends neither has no session. */
export function requireOwnForm(baseUrl: string) {
  const { origin: own } = new URL(baseUrl);
  return async ({ method, headers }: FastifyRequest): Promise<void> => {
    if (method === 'GET' || method === 'HEAD') return;
    const { origin, 'sec-fetch-site': site } = headers;
    const isOwn = (origin ?? own) === own && (site ?? 'same-origin') === 'same-origin';
    if (!isOwn || (origin === undefined && site === undefined))
      throw new Failure('forbidden', `this form did not come from a page of ${own}: nothing was done`);
  };
}

export function localPath(text: string | undefined): string {
  // Browsers read `\` as `/`, drop tabs and line feeds, and read `//host` as a host.
  if (text === undefined || text.length > 2_000 || !/^\/(?![/\\])[!-~]*$/.test(text) || text.includes('\\'))
    return '/';
  const base = 'http://here.invalid';
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (!url || url.origin !== base || /^\/(sign-in|sign-out|signed-out|identity)(\/|$)/.test(url.pathname))
    return '/';
  // `/.//host` parses to the path `//host`.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search;
}

export async function takeAnonymous(
  { meters }: HttpDependencies,
  { session, ip }: FastifyRequest,
): Promise<void> {
  if (!session) await meters.anonymous.take(addressKey(ip));
}

export function countNews({ db, clock }: HttpDependencies) {
  return async (request: FastifyRequest): Promise<void> => {
    const { session } = request;
    if (!session || wantedForm(request) !== 'html') return;
    try {
      request.news = await newsCounted(db, session.caller, clock.now(), NEWS_COUNTED);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  };
}

export async function followingOf(
  { db }: HttpDependencies,
  { session }: FastifyRequest,
  type: FollowTarget,
  id: string,
): Promise<Following | undefined> {
  if (!session) return undefined;
  const followed = await isFollowed(db, session.caller.userId, { target_type: type, target_id: id });
  return { type, id, followed };
}

export async function readerActions(
  deps: HttpDependencies,
  request: FastifyRequest,
  { id, user_id: userId, reveal_at: revealAt }: EtchRow,
): Promise<ReaderActions | undefined> {
  const following = await followingOf(deps, request, 'etch', id);
  if (!following) return undefined;
  return {
    following,
    isAuthor: request.session?.caller.userId === userId,
    isDue: revealAt !== null && Date.parse(revealAt) <= deps.clock.now(),
    notice: keyIn(ETCH_NOTICES, (request.query as { notice?: unknown }).notice),
  };
}

/** Sends a page to people and the envelope to programs. */
export function sendProblem(deps: HttpDependencies) {
  return (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | Promise<FastifyReply> => {
    const isPage = wantedForm(request) === 'html';
    if (error instanceof SignedOut && isPage) return toSignIn(request, reply);
    const failure = answerFailure(error, request, reply);
    if (!isPage) return sendData(request, reply, envelope(failure));
    const { message } = failure;
    return sendPage(
      request,
      reply,
      problemPage(siteFor(deps, request), { status: reply.statusCode, message }),
    );
  };
}

function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { referer = '' } = request.headers;
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  const back = request.method === 'GET' ? request.url : from && from.pathname + from.search;
  return seeOther(reply, `/sign-in?return=${encodeURIComponent(localPath(back))}`);
}

export function answerUnknownPage(deps: HttpDependencies) {
  const load = loadSession(deps);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (leaveOutEnd(request, reply)) return reply;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const isPage = reads && !request.url.startsWith('/api/');
    if (isPage && leaveOutSlash(request, reply)) return reply;
    if (!isPage || namedForm(request) !== 'html') {
      answerUnknown(request, reply);
      return reply;
    }
    await load(request);
    return sendProblem(deps)(new Failure('not_found', 'no page has this address'), request, reply);
  };
}
