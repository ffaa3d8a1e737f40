import { issuerProblemPage } from '../pages/issuer-sign-in.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { badField, Failure } from '../../platform/failure.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import {
  clientIds,
  type ClientIds,
  ClientRefused,
  publicClient,
  readClient,
} from '../../identity/embedded/foreign-clients.ts';
import { EMBEDDED_PATH, type EmbeddedIssuer } from '../../identity/embedded/issuer.ts';
import { createProvider } from '../../identity/embedded/provider.ts';
import type { Claims } from '../../identity/issuer.ts';
import { asObject } from '../../platform/outgoing/bounded-fetch.ts';
import { addressKey, isDevelopers } from '../rate-limits.ts';
import { sendError } from '../errors.ts';
import { issuerHeaders, mountSignIn } from './sign-in.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { siteFor, siteOf } from '../pages/site.ts';

export function mountIdentity(app: FastifyInstance, deps: HttpDependencies): void {
  const { embedded } = deps.identity;
  void app.register(async (scope) => {
    scope.setErrorHandler(sendError);
    if (embedded) return mountEmbedded(scope, deps, embedded);
    scope.all(`${EMBEDDED_PATH}/*`, async () => {
      throw new Failure(
        'not_found',
        'the embedded identity provider is off: sign in with the one that IDENTITY_ISSUER names',
      );
    });
  });
}

function mountEmbedded(app: FastifyInstance, deps: HttpDependencies, embedded: EmbeddedIssuer): void {
  const { baseUrl, config, db, keyring, log, meters, guard } = deps;
  const ids = clientIds(keyring);
  let loaded: Promise<Provider> | undefined;
  const provider = (): Promise<Provider> =>
    (loaded ??= createProvider({
      issuer: embedded,
      baseUrl,
      db,
      keyring,
      log,
      problem(title, message) {
        const page = issuerProblemPage(siteOf(deps), title, message);
        return { html: page.html, headers: issuerHeaders(page) };
      },
      ids,
      registrationUrl: embedded.url + REGISTRATION_PATH,
      guard,
      count: (address) => meters.client.take(addressKey(address)),
    }));
  app.addHook('onRequest', requireOwnOrigin(baseUrl, config.loopback));
  void app.register(
    async (scope) => {
      mountDevToken(scope, embedded);
      mountUserinfo(scope, embedded);
      mountRegistration(scope, ids, async (request) => {
        if (!isDevelopers(config.limits, request)) await meters.client.take(addressKey(request.ip));
      });
      mountSignIn(scope, { embedded, provider, site: (request) => siteFor(deps, request), ids });
      mountProvider(scope, { baseUrl, provider });
    },
    { prefix: EMBEDDED_PATH },
  );
  mountMetadata(app, { baseUrl, provider });
}

/** Gives a session token to a person that a script names (docs/decisions/0014-embedded-parts.md). */
function mountDevToken(scope: FastifyInstance, embedded: EmbeddedIssuer): void {
  scope.post('/dev-token', async (request, reply) => {
    const claims = asObject(request.body);
    if (!claims) throw badField('body', 'must be a JSON object with `username`');
    void reply.header('Cache-Control', 'no-store');
    return { access_token: await embedded.devToken(claims) };
  });
}

/** Accepts API tokens too, because the `userinfo` adapter has no other token. */
function mountUserinfo(scope: FastifyInstance, embedded: EmbeddedIssuer): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<Claims> => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) throw new Failure('unauthorized', 'send `Authorization: Bearer <access token>`');
    void reply.header('Cache-Control', 'no-store');
    return embedded.userinfo(token);
  };
  scope.get('/userinfo', answer);
  scope.post('/userinfo', answer);
}

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/** Prevents DNS rebinding: a name that an attacker points at this machine must not sign people in. */
function requireOwnOrigin(baseUrl: string, loopback: boolean) {
  const origins = ownOrigins(new URL(baseUrl), loopback);
  const hosts = new Set([...origins].map((origin) => new URL(origin).host));
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const { host = '', origin } = headers;
    // A forwarded request comes from a different machine.
    if (loopback && FORWARDED.some((name) => headers[name] !== undefined))
      throw new Failure(
        'forbidden',
        'the embedded identity provider signs people in without a password: it rejects requests through a proxy',
      );
    if (!hosts.has(host.toLowerCase()))
      throw new Failure('forbidden', `the identity provider answers only at ${baseUrl}`);
    if (origin !== undefined && !origins.has(origin.toLowerCase()))
      throw new Failure('forbidden', 'the identity provider rejects requests from pages of other origins');
  };
}

function ownOrigins(base: URL, loopback: boolean): Set<string> {
  const origins = new Set([base.origin]);
  if (loopback) {
    const port = base.port === '' ? '' : `:${base.port}`;
    for (const name of ['localhost', '127.0.0.1', '[::1]']) origins.add(`${base.protocol}//${name}${port}`);
  }
  return origins;
}

/** oidc-provider parses a query in quadratic time: 3,500 parameters take 50 ms. */
const MOST_PARAMETERS = 64;

interface Bridge {
  baseUrl: string;
  provider: () => Promise<Provider>;
}

function mountProvider(scope: FastifyInstance, { baseUrl, provider }: Bridge): void {
  void scope.register(async (bridge) => {
    bridge.removeAllContentTypeParsers();
    bridge.addContentTypeParser('*', (_request, _body, done) => done(null));
    bridge.all('/*', async (request, reply) => {
      if (request.raw.url!.split('&').length > MOST_PARAMETERS)
        throw badField('query', `must have at most ${MOST_PARAMETERS} parameters`);
      const callback = (await provider()).callback();
      toProvider(request, reply, baseUrl);
      await callback(request.raw, reply.raw);
    });
  });
}

/** RFC 8414, 3.1 puts the issuer's path behind the well-known one; oidc-provider serves the opposite order. */
function mountMetadata(app: FastifyInstance, { baseUrl, provider }: Bridge): void {
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])
    app.get(path + EMBEDDED_PATH, async (request, reply) => {
      const callback = (await provider()).callback();
      request.raw.url = EMBEDDED_PATH + path;
      toProvider(request, reply, baseUrl);
      await callback(request.raw, reply.raw);
    });
}

function toProvider(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl);
  const raw = request.raw as typeof request.raw & { originalUrl?: string };
  Object.assign(raw.headers, {
    'x-forwarded-for': request.ip,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
  });
  raw.originalUrl = raw.url!;
  raw.url = raw.url!.slice(EMBEDDED_PATH.length);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

const REGISTRATION_PATH = '/register';

/** Registers MCP clients (RFC 7591). */
function mountRegistration(
  scope: FastifyInstance,
  ids: ClientIds,
  take: (request: FastifyRequest) => Promise<void>,
): void {
  scope.post(REGISTRATION_PATH, { bodyLimit: 16 * 1024 }, async (request, reply) => {
    await take(request);
    void reply.header('Cache-Control', 'no-store');
    try {
      const client = readClient(request.body);
      void reply.code(201);
      return {
        client_id: ids.issue(client),
        client_id_issued_at: Math.floor(Date.now() / 1000),
        ...publicClient(client),
      };
    } catch (error) {
      if (!(error instanceof ClientRefused)) throw error;
      void reply.code(400);
      return { error: error.code, error_description: error.message };
    }
  });
}
