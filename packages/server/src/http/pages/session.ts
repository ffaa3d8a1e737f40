import type { FastifyRequest } from 'fastify';
import { ETCH_NOTICES, type EtchNotice, type Following, NEWS_COUNTED, type Own } from '@svc/web';
import type { FollowTarget } from '@svc/contract';
import { DatabaseUnavailable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import type { WebSession } from '../../identity/web-session/sessions.ts';
import { cookieNames, readCookie } from './cookies.ts';
import type { Facts, PageParts } from './parts.ts';
import { addressKey } from '../rate-limits.ts';
import { newsCounted } from '../../notify/follows/inbox.ts';
import { wantedForm } from './send.ts';
import type { EtchRow } from '../../etches/row.ts';
import { isFollowed } from '../../notify/follows/store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    session?: WebSession | null;
    sessionTrouble?: Error | null;
  }
}

export class SignedOut extends Failure {
  constructor() {
    super('unauthorized', 'this page is for people who are signed in');
  }
}

/** Without a database, the page appears as if signed out. */
export function loadSession({ signIn: { web }, site }: Pick<PageParts, 'signIn' | 'site'>) {
  const { session: name } = cookieNames(site.baseUrl);
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

export const callerOf = (request: FastifyRequest): Caller => sessionOf(request).caller;

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
  { anonymousMeter }: Pick<PageParts, 'anonymousMeter'>,
  request: FastifyRequest,
): Promise<void> {
  if (request.session) return;
  await anonymousMeter.take(addressKey(request.ip));
}

declare module 'fastify' {
  interface FastifyRequest {
    news?: number | null;
  }
}

export function countNews({ db, clock }: Pick<Facts, 'db' | 'clock'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { session, headers } = request;
    if (!session || wantedForm(headers.accept) !== 'html') return;
    try {
      request.news = await newsCounted(db, session.caller, clock.now(), NEWS_COUNTED);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  };
}

export async function followingOf(
  { db }: Pick<Facts, 'db'>,
  { session }: FastifyRequest,
  type: FollowTarget,
  id: string,
): Promise<Following | undefined> {
  if (!session) return undefined;
  const { userId } = session.caller;
  return { type, id, followed: await isFollowed(db, userId, { target_type: type, target_id: id }) };
}

export async function ownOf(
  facts: Pick<Facts, 'db' | 'clock'>,
  request: FastifyRequest,
  { id, user_id: userId, reveal_at: revealAt }: Pick<EtchRow, 'id' | 'user_id' | 'reveal_at'>,
): Promise<Own | undefined> {
  const following = await followingOf(facts, request, 'etch', id);
  if (!following) return undefined;
  return {
    following,
    isAuthor: request.session?.caller.userId === userId,
    isDue: revealAt !== null && Date.parse(revealAt) <= facts.clock.now(),
    notice: noticeOf(request.query as { notice?: string }),
  };
}

/** The fixed list keeps links from making the page show other text. */
function noticeOf({ notice }: { notice?: string }): EtchNotice | undefined {
  return typeof notice === 'string' && Object.hasOwn(ETCH_NOTICES, notice)
    ? (notice as EtchNotice)
    : undefined;
}
