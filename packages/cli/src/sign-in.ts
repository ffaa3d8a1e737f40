import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IdentityFacts } from '@svc/sdk';
import type * as OidcModule from 'openid-client';
import { clockWords } from './report-error.ts';
import { awayError, CommandError, EXIT, usageError } from './exit.ts';
import { inTime } from './bounded-fetch.ts';

export interface SignInSession {
  access_token: string;
  /** ms since 1970; null when unknown */
  expires_at: number | null;
  refresh_token?: string;
  issuer: string;
  client_id: string;
}

type Oidc = typeof OidcModule;
type Tokens = Awaited<ReturnType<Oidc['refreshTokenGrant']>>;

const ISSUER_PATIENCE_MS = 30_000;
const CALLBACK = '/callback';

const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Times in issuers' answers: a wrong clock here makes tokens fail. */
const issuerClocks = new Map<string, number>();

async function discover(oidc: Oidc, issuer: string, clientId: string) {
  const url = new URL(issuer);
  const plain = url.protocol === 'http:';
  if (plain && !isLoopback(url))
    throw usageError(
      `${issuer} is not https, so anyone on the network path could read the session; name an https issuer`,
    );
  const execute = plain ? [oidc.allowInsecureRequests] : [];
  const ask: OidcModule.CustomFetch = async (address, { signal: given, ...init }) => {
    const response = await inTime(ISSUER_PATIENCE_MS, (limit) =>
      fetch(address, {
        ...init,
        body: init.body ?? null,
        signal: given ? AbortSignal.any([given, limit]) : limit,
      }),
    );
    const serverTime = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(serverTime)) issuerClocks.set(issuer, serverTime);
    return response;
  };
  return oidc.discovery(url, clientId, undefined, oidc.None(), { execute, [oidc.customFetch]: ask });
}

/** Authorization code flow with PKCE, RFC 8252. */
export async function signIn(
  { issuer, clientId, resource, scope }: IdentityFacts,
  { port, timeoutMs, show }: { port: number; timeoutMs: number; show: (url: string) => void },
): Promise<SignInSession> {
  const oidc = await import('openid-client');
  try {
    const config = await discover(oidc, issuer, clientId);
    const refreshes =
      config.serverMetadata().scopes_supported?.includes('offline_access') === true &&
      !scope.split(' ').includes('offline_access');
    const verifier = oidc.randomPKCECodeVerifier();
    const state = oidc.randomState();
    const callback = await listen(port, state);
    try {
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: callback.redirectUri,
        scope: refreshes ? `${scope} offline_access` : scope,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource,
      });
      show(url.href);
      const { url: answered, response } = await callback.answer(timeoutMs);
      try {
        const tokens = await oidc.authorizationCodeGrant(config, answered, {
          pkceCodeVerifier: verifier,
          expectedState: state,
        });
        say(response, 200, 'You are signed in. You can close this page.');
        return sessionOf(tokens, issuer, clientId);
      } catch (error) {
        say(response, 400, 'Signing in failed. The terminal says why.');
        throw error;
      }
    } finally {
      callback.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const clocks = clockWords(issuerClocks.get(issuer), 'the issuer’s');
    const message = [`signing in at ${issuer} failed: ${reasons(error)}`, clocks].filter(Boolean).join('. ');
    throw new CommandError(EXIT.permission, message);
  }
}

export async function refresh(session: SignInSession): Promise<SignInSession> {
  const oidc = await import('openid-client');
  const config = await discover(oidc, session.issuer, session.client_id);
  const tokens = await oidc.refreshTokenGrant(config, session.refresh_token!);
  return { ...session, ...sessionOf(tokens, session.issuer, session.client_id) };
}

function sessionOf(tokens: Tokens, issuer: string, clientId: string): SignInSession {
  const seconds = tokens.expiresIn();
  return {
    access_token: tokens.access_token,
    expires_at: seconds === undefined ? null : Date.now() + seconds * 1000,
    ...(tokens.refresh_token === undefined ? {} : { refresh_token: tokens.refresh_token }),
    issuer,
    client_id: clientId,
  };
}

/** Loopback only; rejects requests without this sign-in's state. */
async function listen(port: number, state: string) {
  let arrived: (found: { url: URL; response: ServerResponse }) => void;
  const arrival = new Promise<{ url: URL; response: ServerResponse }>((resolve) => (arrived = resolve));
  const server = createServer((request, response) => {
    // Any local program may send any target, for example `//`.
    if (!URL.canParse(request.url!, redirectUri)) return say(response, 400, 'This is not a URL.');
    const url = new URL(request.url!, redirectUri);
    const isCallback = url.origin === new URL(redirectUri).origin && url.pathname === CALLBACK;
    if (request.method !== 'GET' || !isCallback) return say(response, 404, 'Nothing is here.');
    if (url.searchParams.get('state') !== state)
      return say(response, 400, 'This is not the sign-in under way.');
    arrived({ url, response });
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = ({ code }: NodeJS.ErrnoException) =>
      awayError(`port ${port} of this machine cannot be used (${code}); name another one with --port`);
    server.once('error', (error) => reject(refuse(error)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${CALLBACK}`;
  return {
    redirectUri,
    /** The caller must answer the browser. */
    answer(timeoutMs: number) {
      const late = new CommandError(
        EXIT.wait,
        `no sign-in within ${timeoutMs / 1000} seconds; try again, or give more time with --timeout`,
      );
      let timer: NodeJS.Timeout;
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late), timeoutMs);
      });
      return Promise.race([arrival, limit]).finally(() => clearTimeout(timer));
    },
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

function reasons(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 3; at = at.cause) {
    const { error_description: description } = at as { error_description?: unknown };
    messages.push(typeof description === 'string' ? description : at.message);
  }
  return messages.join(': ');
}
