import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import type { Caller } from '../../identity/caller.ts';
import type { WebSession } from '../../identity/web-session/sessions.ts';
import { cookieNames, readCookie } from './cookies.ts';
import type { PageParts } from './parts.ts';

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
