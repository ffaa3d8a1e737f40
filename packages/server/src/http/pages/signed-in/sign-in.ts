import { SIGN_IN_PROBLEMS, signedOutPage, signInPage, type SignInProblem } from '../sign-in.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/failure.ts';
import { WEB_CLIENT } from '../../../identity/embedded/issuer.ts';
import { type PendingSignIn, type SignedIn, SignInFailed } from '../../../identity/web-session/client.ts';
import { cookieNames, dropCookie, inCookie, keyIn, readCookie, setCookie, siteFor } from '../site.ts';
import { seeOther } from '../send.ts';
import { localPath } from '../session.ts';
import type { Parts } from '../../parts.ts';

const PATIENCE_MS = 15 * 60_000;
const LEAVING_SECONDS = 300;

interface Begun extends PendingSignIn {
  returnTo: string;
  at: number;
}

export function mountSignInPages(pages: FastifyInstance, parts: Parts): void {
  const { baseUrl, clock, keyring, config } = parts;
  const { web } = parts.identity;
  const names = cookieNames(baseUrl);
  const sealed = inCookie<Begun>(keyring, 'sign-in', 'sign-in');

  pages.get<{ Querystring: { return?: string; problem?: string } }>('/sign-in', async (request, reply) => {
    const returnTo = localPath(request.query.return);
    const problem = keyIn(SIGN_IN_PROBLEMS, request.query.problem);
    if (request.session && !problem) return seeOther(reply, returnTo);
    const { missing, issuerHost: issuer } = web;
    return signInPage(siteFor(parts, request), { returnTo, problem, missing, issuer });
  });

  pages.get<{ Querystring: { return?: string } }>('/sign-in/start', async (request, reply) => {
    const returnTo = localPath(request.query.return);
    const elsewhere = otherName(request, baseUrl);
    // The cookies must belong to the host of BASE_URL, where the issuer redirects to.
    if (elsewhere) return seeOther(reply, `${baseUrl}${startPath(returnTo)}`);
    if (!web.client) return back(reply, returnTo);
    try {
      const { url, pending } = await web.client.begin();
      const begun: Begun = { ...pending, returnTo, at: clock.now() };
      setCookie(reply, names.signIn, sealed.close(begun), PATIENCE_MS / 1000);
      return seeOther(reply, url);
    } catch (error) {
      return back(reply, returnTo, reasonOf(error, request));
    }
  });

  pages.get(WEB_CLIENT.callbackPath, async (request, reply) => {
    void reply.header('Referrer-Policy', 'no-referrer');
    const begun = sealed.open(readCookie(request, names.signIn));
    dropCookie(reply, names.signIn);
    if (!web.client || !begun || clock.now() - begun.at >= PATIENCE_MS) return back(reply, '/', 'stale');
    const state = (request.query as { state?: unknown }).state;
    if (state !== begun.state) return back(reply, begun.returnTo, 'stale');
    try {
      const signedIn: SignedIn = await web.client.finish(new URL(request.url, baseUrl), begun);
      const value = await web.sessions.begin(signedIn, readCookie(request, names.session));
      setCookie(reply, names.session, value, config.identity.sessionMaxSeconds);
      return seeOther(reply, begun.returnTo);
    } catch (error) {
      return back(reply, begun.returnTo, reasonOf(error, request));
    }
  });

  pages.post('/sign-out', async (request, reply) => {
    const value = readCookie(request, names.session);
    const leaving = value === undefined ? undefined : await web.sessions?.end(value);
    dropCookie(reply, names.session);
    dropCookie(reply, names.once);
    if (leaving !== undefined) setCookie(reply, names.leaving, leaving, LEAVING_SECONDS);
    return seeOther(reply, '/signed-out');
  });

  pages.get('/signed-out', async (request, reply) => {
    if (request.session) return seeOther(reply, '/account');
    const atIssuer = readCookie(request, names.leaving) !== undefined;
    return signedOutPage(siteFor(parts, request), { atIssuer });
  });

  pages.get('/sign-out/issuer', async (request, reply) => {
    const leaving = readCookie(request, names.leaving);
    dropCookie(reply, names.leaving);
    const url = leaving === undefined ? undefined : await web.sessions?.leave(leaving);
    return seeOther(reply.header('Referrer-Policy', 'no-referrer'), url ?? '/signed-out');
  });

  function back(reply: FastifyReply, returnTo: string, problem?: SignInProblem): FastifyReply {
    const query = new URLSearchParams({ ...(problem && { problem }), return: returnTo });
    return seeOther(reply, `/sign-in?${query}`);
  }
}

const startPath = (returnTo: string): string => `/sign-in/start?return=${encodeURIComponent(returnTo)}`;

function reasonOf(error: unknown, request: FastifyRequest): SignInProblem {
  if (error instanceof SignInFailed) {
    request.log.warn({ reason: error.message }, 'a sign-in failed');
    return error.reason;
  }
  if (error instanceof Failure && error.code === 'service_unavailable') return 'unreachable';
  throw error;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function otherName({ headers }: FastifyRequest, baseUrl: string): boolean {
  const own = new URL(baseUrl);
  const asked = `${own.protocol}//${headers.host ?? ''}`;
  if (!URL.canParse(asked)) return false;
  const { hostname, host } = new URL(asked);
  return host !== own.host && LOOPBACK.test(hostname) && LOOPBACK.test(own.hostname);
}
