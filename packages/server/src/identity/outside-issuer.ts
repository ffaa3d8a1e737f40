import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { networkCause } from '../db/failures.ts';
import { Failure } from '../platform/failure.ts';
import { asObject, fetchJson, ProviderUnreachable } from '../platform/outgoing/bounded-fetch.ts';
import { type Claims, type Issuer, issuerKey } from './issuer.ts';
import { isSignedJwt, refused, screenToken, verifySessionToken } from './session-token.ts';

export interface OutsideIssuerOptions {
  url: string;
  audience: string;
  /** client ids of the pages and of `svc login` */
  clients: readonly string[];
  baseUrl: string;
  log: { warn(details: object, message: string): void };
  freshMs?: number;
  /** longest use of cached keys while the issuer does not answer */
  staleMs?: number;
  /** pause between two fetches, after an unknown key or a failure */
  pauseMs?: number;
}

interface Metadata {
  issuer: string;
  userinfoUrl: string | undefined;
  keys: ReturnType<typeof createLocalJWKSet>;
  at: number;
}

const BURST = 5;

export function createOutsideIssuer(options: OutsideIssuerOptions): Issuer & { prepare(): Promise<void> } {
  const {
    url,
    audience,
    clients,
    baseUrl,
    log,
    freshMs = 600_000,
    staleMs = 3_600_000,
    pauseMs = 5_000,
  } = options;
  let known: Metadata | undefined;
  let loading: Promise<Metadata> | undefined;
  let failed: { at: number; error: Error } | undefined;
  let isOpaqueLogged = false;
  let budget = { left: BURST, at: performance.now() };

  function load(): Promise<Metadata> {
    if (failed && performance.now() - failed.at < pauseMs) return Promise.reject(failed.error);
    loading ??= loadMetadata(url)
      .then(
        (found) => {
          failed = undefined;
          return (known = found);
        },
        (error: Error) => {
          failed = { at: performance.now(), error };
          const reason = reasonFor(error);
          log.warn({ issuer: url, reason }, `IDENTITY_ISSUER: people cannot sign in now: ${reason}`);
          throw error;
        },
      )
      .finally(() => (loading = undefined));
    return loading;
  }

  async function current(): Promise<Metadata> {
    if (!known) return load();
    const age = performance.now() - known.at;
    if (age < freshMs) return known;
    const loaded = load();
    // A key may have been withdrawn, so old keys have a limit.
    if (age > staleMs) return loaded;
    loaded.catch(() => undefined);
    return known;
  }

  function mayAskAgain(): boolean {
    const now = performance.now();
    const left = Math.min(BURST, budget.left + (now - budget.at) / pauseMs);
    budget = { left, at: now };
    if (left < 1) return false;
    budget.left--;
    return true;
  }

  /** Logs one line only, because any client can send such tokens. */
  function logOpaque(): void {
    if (isOpaqueLogged) return;
    isOpaqueLogged = true;
    log.warn(
      { issuer: url },
      'a session token that is no signed JSON Web Token was rejected; if IDENTITY_ISSUER issues opaque access tokens, configure it to issue JSON Web Tokens for IDENTITY_AUDIENCE (docs/operating/people.md#which-access-tokens-are-accepted)',
    );
  }

  /** An unknown key may be new, so this fetches again, at a limited rate. */
  const findKey: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (await current()).keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (!loading && !mayAskAgain()) throw error;
      return (await load()).keys(header, token);
    }
  };

  return {
    key: issuerKey(url),
    name: async () => (await current()).issuer,
    async prepare() {
      await load().catch(() => undefined);
      // A busy startup may outlast the timeout: the first sign-in retries at once.
      failed = undefined;
    },
    async verify(token) {
      if (!isSignedJwt(token)) logOpaque();
      const screened = screenToken(token, baseUrl);
      const { issuer } = await reach(current);
      if (screened.issuer !== issuer) throw refused('a different issuer made it');
      return reach(() => verifySessionToken(token, findKey, { issuer, audience, clients }));
    },
    async userinfo(token) {
      const { userinfoUrl } = await reach(current);
      if (userinfoUrl === undefined)
        throw new Failure('forbidden', 'the identity provider has no userinfo endpoint');
      return reach(() => askUserinfo(userinfoUrl, token));
    },
  };
}

async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    throw new Failure('service_unavailable', 'the identity provider cannot be reached: try again');
  }
}

export const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;

export async function loadMetadata(url: string): Promise<Metadata> {
  const discovery = asObject(await fetchOk(discoveryUrl(url)));
  const { issuer, jwks_uri: jwksUri, userinfo_endpoint: userinfoUrl } = discovery ?? {};
  if (typeof issuer !== 'string' || issuerKey(issuer) !== issuerKey(url))
    throw new ProviderUnreachable('its discovery document names a different issuer');
  if (!isWebUrl(jwksUri)) throw new ProviderUnreachable('its discovery document names no keys');
  return {
    issuer,
    userinfoUrl: isWebUrl(userinfoUrl) ? userinfoUrl : undefined,
    keys: keySet(await fetchOk(jwksUri)),
    at: performance.now(),
  };
}

function keySet(found: unknown): Metadata['keys'] {
  try {
    return createLocalJWKSet(found as JSONWebKeySet);
  } catch (error) {
    throw new ProviderUnreachable('its keys are not a JSON Web Key Set', { cause: error });
  }
}

async function fetchOk(url: string): Promise<unknown> {
  const { status, body } = await fetchJson(url);
  if (status !== 200 || body === undefined) throw new ProviderUnreachable(`${url} answered ${status}`);
  return body;
}

async function askUserinfo(url: string, token: string): Promise<Claims> {
  const { status, body } = await fetchJson(url, { headers: { authorization: `Bearer ${token}` } });
  if (status === 400 || status === 401 || status === 403) {
    throw new Failure('forbidden', 'the identity provider returned no claims for this token');
  }
  const claims = asObject(body);
  if (status !== 200 || !claims) throw new ProviderUnreachable(`userinfo answered ${status}`);
  return claims;
}

function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

export function reasonFor(error: Error): string {
  const cause = networkCause(error) ?? deepestCause(error);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}

/** fetch reports only `fetch failed`. */
const deepestCause = ({ cause }: Error): string | undefined =>
  cause instanceof Error ? (deepestCause(cause) ?? cause.message) : undefined;
