import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { networkCause } from '../db/network-cause.ts';
import { Failure } from '../errors/failure.ts';
import { asObject, fetchJson, ProviderUnreachable } from '../outgoing/bounded-fetch.ts';
import { issuerKey } from './issuer-key.ts';
import type { Claims, Issuer } from './issuer.ts';
import { isSignedJwt, refused, screenToken, verifySessionToken } from './session-token.ts';

export interface OutsideIssuerOptions {
  /** IDENTITY_ISSUER */
  url: string;
  audience: string;
  /** the service's clients there, of the pages and of `svc login` */
  clients: readonly string[];
  baseUrl: string;
  log: { warn(details: object, message: string): void };
  /** how long keys are used before they are asked for again */
  freshMs?: number;
  /** how long they are used at most while the issuer cannot be reached */
  staleMs?: number;
  /** pauses between two questions: after an unknown key, after a failure */
  pauseMs?: number;
}

interface Metadata {
  issuer: string;
  userinfoUrl: string | undefined;
  keys: ReturnType<typeof createLocalJWKSet>;
  at: number;
}

/** Unknown keys let us ask so many times at once, and once more in each pause. */
const BURST = 5;

/** Any OpenID Connect issuer, known by its discovery document and its keys, which are cached and may rotate. */
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

  /** One question at a time; a failure is remembered for a moment. */
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
    // Meanwhile, and while the issuer is away, the old keys serve; not for ever, for a key may have been withdrawn.
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

  /** Once: anybody can send such tokens, and the operator needs to read it one time. */
  function logOpaque(): void {
    if (isOpaqueLogged) return;
    isOpaqueLogged = true;
    log.warn(
      { issuer: url },
      'a session token that is no signed JSON Web Token was rejected; if IDENTITY_ISSUER gives opaque access tokens, have it give JSON Web Tokens for IDENTITY_AUDIENCE (docs/operating.md#which-access-tokens-are-accepted)',
    );
  }

  /** A key nobody knows may be a new one: then the issuer is asked again, within bounds. */
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
      // A start may keep the thread busy for longer than an issuer has time to answer: whoever comes first asks again.
      failed = undefined;
    },
    async verify(token) {
      if (!isSignedJwt(token)) logOpaque();
      const screened = screenToken(token, baseUrl);
      const { issuer } = await reach(current);
      if (screened.issuer !== issuer) throw refused('another issuer made it');
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

async function loadMetadata(url: string): Promise<Metadata> {
  const bare = url.replace(/\/+$/, '');
  const discovery = asObject(await fetchOk(`${bare}/.well-known/openid-configuration`));
  const { issuer, jwks_uri: jwksUri, userinfo_endpoint: userinfoUrl } = discovery ?? {};
  if (typeof issuer !== 'string' || issuerKey(issuer) !== issuerKey(url))
    throw new ProviderUnreachable('its discovery document names another issuer');
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
    throw new Failure('forbidden', 'the identity provider does not tell its claims for this token');
  }
  const claims = asObject(body);
  if (status !== 200 || !claims) throw new ProviderUnreachable(`userinfo answered ${status}`);
  return claims;
}

function isWebUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function reasonFor(error: Error): string {
  const cause = networkCause(error) ?? deepestCause(error);
  return cause === undefined ? error.message : `${error.message}: ${cause}`;
}

/** fetch says `fetch failed`, and why in what caused that. */
function deepestCause({ cause }: Error): string | undefined {
  return cause instanceof Error ? (deepestCause(cause) ?? cause.message) : undefined;
}
