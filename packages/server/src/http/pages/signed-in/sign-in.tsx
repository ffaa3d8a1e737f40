import { narrowPage } from '@svc/web/layout';
import { prose, say } from '@svc/web/parts/prose';
import { Sign, SIGNS } from '@svc/web/parts/sign';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/failure.ts';
import { WEB_CLIENT } from '../../../identity/embedded/issuer.ts';
import { type PendingSignIn, type SignedIn, SignInFailed } from '../../../identity/web-session/client.ts';
import {
  COOKIE_SECONDS,
  cookieNames,
  dropCookie,
  inCookie,
  keyIn,
  readCookie,
  setCookie,
  siteFor,
} from '../site.ts';
import { seeOther } from '../send.ts';
import { localPath } from '../session.ts';
import { KEPT_PATH, keptDrafts } from './kept-draft.ts';
import type { HttpDependencies } from '../../dependencies.ts';

interface Begun extends PendingSignIn {
  returnTo: string;
  at: number;
}

export function mountSignInPages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { baseUrl, clock, keyring, config } = deps;
  const { web } = deps.identity;
  const names = cookieNames(baseUrl);
  const sealed = inCookie<Begun>(keyring, 'sign-in', 'sign-in');

  pages.get<{ Querystring: { return?: string; problem?: string } }>('/sign-in', async (request, reply) => {
    const returnTo = localPath(request.query.return);
    const problem = keyIn(SIGN_IN_PROBLEMS, request.query.problem);
    if (request.session && !problem) return seeOther(reply, returnTo);
    const { missing, issuerHost: issuer } = web;
    return signInPage(siteFor(deps, request), { returnTo, problem, missing, issuer });
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
      setCookie(reply, names.signIn, sealed.close(begun), COOKIE_SECONDS.signIn);
      return seeOther(reply, url);
    } catch (error) {
      return back(reply, returnTo, reasonOf(error, request));
    }
  });

  pages.get(WEB_CLIENT.callbackPath, async (request, reply) => {
    void reply.header('Referrer-Policy', 'no-referrer');
    const begun = sealed.open(readCookie(request, names.signIn));
    dropCookie(reply, names.signIn);
    const isLate = begun !== undefined && clock.now() - begun.at >= COOKIE_SECONDS.signIn * 1000;
    if (!web.client || !begun || isLate) return back(reply, '/', 'stale');
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
    keptDrafts(deps).drop(reply);
    if (leaving !== undefined) setCookie(reply, names.leaving, leaving, COOKIE_SECONDS.leaving);
    return seeOther(reply, '/signed-out');
  });

  pages.get('/signed-out', async (request, reply) => {
    if (request.session) return seeOther(reply, '/account');
    const atIssuer = readCookie(request, names.leaving) !== undefined;
    return signedOutPage(siteFor(deps, request), { atIssuer });
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

const SIGN_IN_PROBLEMS = {
  unreachable: {
    title: 'Signing in is not possible at the moment',
    text: 'The identity provider cannot be reached. Try again later.',
  },
  refused: {
    title: 'You were not signed in',
    text: 'The identity provider did not confirm who you are, or you canceled. Nothing was changed here.',
  },
  stale: {
    title: 'This sign-in is over',
    text: 'It took too long, or you started it in a different browser, or you started a second one. Start again.',
  },
} as const;
type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

/** “Not now” must not lead back to this page. */
const NEEDS_SIGN_IN =
  /^\/(account|feed|following|inbox|watching|challenges\/new)([/?]|$)|\/(retract|resolve|opening)(\?|$)/;

interface SignInData {
  returnTo: string;
  problem?: SignInProblem | undefined;
  missing?: 'IDENTITY_ISSUER' | 'IDENTITY_CLIENT_ID' | undefined;
  issuer?: string | undefined;
}

function signInPage(site: Site, { returnTo, problem, missing, issuer }: SignInData): Page {
  return narrowPage(
    site,
    {
      title: 'Sign in',
      description: 'Sign in to write etches of your own.',
      lead:
        returnTo === KEPT_PATH
          ? 'Your text waits here. You confirm it after you sign in.'
          : 'Sign in to etch, to answer challenges, to follow accounts and topics, and to create API keys.',
      unlisted: true,
    },
    problem && (
      <div class="problem" role="alert">
        <h2>
          <Sign d={SIGNS.warn} /> {SIGN_IN_PROBLEMS[problem].title}
        </h2>
        <p>{SIGN_IN_PROBLEMS[problem].text}</p>
      </div>
    ),
    missing ? (
      <div class="note">{setUpText(site, missing)}</div>
    ) : (
      <>
        {prose`
          You sign in at ${issuer ? <strong>{issuer}</strong> : 'the identity provider'} and come back here.
          This service never sees a password.
        `}
        <p class="actions">
          <a class="button" href={`/sign-in/start?return=${encodeURIComponent(returnTo)}`}>
            {problem ? 'Try again' : 'Continue to sign in'}
          </a>
          <a href={NEEDS_SIGN_IN.test(returnTo) ? '/' : returnTo}>Not now</a>
        </p>
      </>
    ),
    <section>
      {prose`
        ## What needs no sign-in

        - Reading and searching every public record.
        - [Writing](/write) and previewing an etch or an answer. You sign in at the last step.
        - Verifying: [receipts can be checked without this service](/verify), and without its identity provider.
        - Programs with an API key, and [agents with their own key](/docs/agents). They work even while sign-in does
          not, and signed-in people stay signed in.
      `}
    </section>,
  );
}

const setUpText = (site: Site, missing: NonNullable<SignInData['missing']>) => prose`
  **People cannot sign in here yet:** no identity provider is set up for the pages.

  The operator sets ${
    missing === 'IDENTITY_ISSUER'
      ? say`
          ~IDENTITY_ISSUER~ to an OpenID Connect issuer and ~IDENTITY_CLIENT_ID~ to the client registered there
        `
      : say`
          ~IDENTITY_CLIENT_ID~ to the client registered at the issuer that ~IDENTITY_ISSUER~ names
        `
  }, with the redirect address ~${site.baseUrl}/sign-in/callback~. For trying things on one machine,
  ~IDENTITY_EMBEDDED=true~ starts an identity provider that asks only for a name.
`;

const signedOutPage = (site: Site, { atIssuer }: { atIssuer: boolean }): Page =>
  narrowPage(
    site,
    {
      title: 'Signed out',
      heading: 'You are signed out',
      description: 'You are signed out.',
      lead: 'This browser no longer has a session here.',
      unlisted: true,
    },
    atIssuer && (
      <p class="note">
        {say`You may still be signed in at the identity provider. [Sign out there too](/sign-out/issuer)`}
      </p>
    ),
    <p class="actions">
      <a class="button" href="/sign-in">
        Sign in again
      </a>
      <a href="/">Home</a>
    </p>,
    <p>{say`Next to read: [open challenges](/challenges) or [how verification works](/verify/how).`}</p>,
  );
