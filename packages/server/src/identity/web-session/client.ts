// The web sign-in: code flow with PKCE. Tokens never leave the server.
import type * as OidcModule from 'openid-client';
import { isWellFormedText } from '@svc/protocol';
import {
  type BoundedFetch,
  boundedFetch,
  ProviderUnreachable,
} from '../../platform/outgoing/bounded-fetch.ts';
import { SUBJECT_MAX } from '../session-token.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';

/** Tokens never leave the server. */
export interface Tokens {
  access: string;
  expiresAt: number | undefined;
  refresh: string | undefined;
  id: string | undefined;
}

export const closeTokens = (keyring: Keyring, hash: Buffer, tokens: Tokens): Buffer =>
  keyring.close('web-session', Buffer.from(JSON.stringify(tokens)), boundTo(hash));

export const openTokens = (keyring: Keyring, hash: Buffer, closed: Uint8Array): Tokens =>
  JSON.parse(keyring.open('web-session', closed, boundTo(hash)).toString('utf8')) as Tokens;

const boundTo = (hash: Buffer): string => `session ${hash.toString('hex')}`;

type Oidc = typeof OidcModule;
type Configuration = OidcModule.Configuration;

/** The browser must bring these values back, so that a foreign link cannot sign a person in. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface SignedIn {
  subject: string;
  claims: Readonly<Record<string, unknown>>;
  tokens: Tokens;
}

export class SignInFailed extends Error {
  override name = 'SignInFailed';
  /** `unreachable`: retry later; `refused`: rejected by the issuer or our check */
  readonly reason: 'unreachable' | 'refused';
  readonly errorCode: string | undefined;
  constructor(reason: SignInFailed['reason'], cause: unknown) {
    super(`the sign-in is ${reason}: ${causes(cause)}`, { cause });
    this.reason = reason;
    this.errorCode = errorCodeOf(cause);
  }
}

export interface SignInClientOptions {
  issuer: () => Promise<string>;
  clientId: string;
  clientSecret: string | undefined;
  scopes: string;
  baseUrl: string;
  callbackPath: string;
  now: () => number;
  /** runs before the timeout starts */
  ready?: () => Promise<unknown>;
  fetch?: BoundedFetch;
}

interface Known {
  oidc: Oidc;
  config: Configuration;
  at: number;
}

const FRESH_MS = 600_000;
/** A browser must not be redirected to an issuer that does not answer. */
const ANSWERED_MS = 5_000;

export function createSignInClient(options: SignInClientOptions) {
  const { baseUrl, callbackPath, scopes, now } = options;
  const redirectUri = baseUrl + callbackPath;
  let known: Known | undefined;
  let loading: Promise<Known> | undefined;

  async function load(): Promise<Known> {
    const [oidc] = await Promise.all([import('openid-client'), options.ready?.()]);
    const config = await discover(oidc, options);
    known = { oidc, config, at: performance.now() };
    return known;
  }

  async function current(): Promise<Known> {
    if (known && performance.now() - known.at < FRESH_MS) return known;
    const fresh = reload();
    return known ? fresh.catch(() => known!) : fresh;
  }

  function reload(): Promise<Known> {
    return (loading ??= load().finally(() => (loading = undefined)));
  }

  async function answering(): Promise<Known> {
    return known && performance.now() - known.at < ANSWERED_MS ? known : reload();
  }

  const tokensOf = (
    answer: Awaited<ReturnType<Oidc['authorizationCodeGrant']>>,
    before?: Tokens,
  ): Tokens => ({
    access: answer.access_token,
    expiresAt: answer.expires_in === undefined ? undefined : now() + answer.expires_in * 1000,
    refresh: answer.refresh_token ?? before?.refresh,
    id: answer.id_token ?? before?.id,
  });

  return {
    begin: () =>
      asSignIn(async () => {
        const { oidc, config } = await answering();
        const codeVerifier = oidc.randomPKCECodeVerifier();
        const pending = { state: oidc.randomState(), nonce: oidc.randomNonce(), codeVerifier };
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, pending };
      }),
    finish: (callback: URL, pending: PendingSignIn) =>
      asSignIn(async () => {
        const { oidc, config } = await current();
        const answer = await oidc.authorizationCodeGrant(config, callback, {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.codeVerifier,
          idTokenExpected: true,
        });
        const claims = answer.claims()!;
        if (claims.sub.length > SUBJECT_MAX || !isWellFormedText(claims.sub))
          throw new Error('its subject is not text, or too long');
        return { subject: claims.sub, claims, tokens: tokensOf(answer) };
      }),
    refresh: (tokens: Tokens) =>
      asSignIn(async () => {
        const { oidc, config } = await current();
        return tokensOf(await oidc.refreshTokenGrant(config, tokens.refresh!), tokens);
      }),
    async leaveUrl(idToken: string | undefined) {
      try {
        const { oidc, config } = await current();
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
        return oidc.buildEndSessionUrl(config, {
          post_logout_redirect_uri: `${baseUrl}/signed-out`,
          ...(idToken !== undefined && { id_token_hint: idToken }),
        }).href;
      } catch {
        return undefined;
      }
    },
  };
}

export type SignInClient = ReturnType<typeof createSignInClient>;

async function discover(oidc: Oidc, options: SignInClientOptions): Promise<Configuration> {
  const server = new URL(await options.issuer());
  const insecure = server.protocol === 'http:';
  const fetch = options.fetch ?? boundedFetch;
  const found = await oidc.discovery(server, options.clientId, undefined, oidc.None(), {
    [oidc.customFetch]: fetch,
    ...(insecure && { execute: [oidc.allowInsecureRequests] }),
  });
  const config = new oidc.Configuration(
    found.serverMetadata(),
    options.clientId,
    undefined,
    authentication(oidc, options.clientSecret, found.serverMetadata().token_endpoint_auth_methods_supported),
  );
  config[oidc.customFetch] = fetch;
  if (insecure) oidc.allowInsecureRequests(config);
  // Check signatures too, not only the TLS channel.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** The default is `client_secret_basic` (OpenID Connect Discovery 3). */
function authentication(
  oidc: Oidc,
  secret: string | undefined,
  methods: readonly string[] = ['client_secret_basic'],
): OidcModule.ClientAuth {
  if (secret === undefined) return oidc.None();
  return methods.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

async function asSignIn<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SignInFailed(isUnreachable(error) ? 'unreachable' : 'refused', error);
  }
}

function isUnreachable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof ProviderUnreachable) return true;
  return false;
}

function errorCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { error: code } = at as { error?: unknown };
    if (typeof code === 'string') return code;
  }
  return undefined;
}

/** The text contains no token and no code. */
function causes(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 4; at = at.cause) messages.push(at.message);
  return messages.join(': ');
}
