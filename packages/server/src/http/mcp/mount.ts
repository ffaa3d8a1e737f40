import { setImmediate as turn } from 'node:timers/promises';
import cors from '@fastify/cors';
import { answerMcp, lacksAccount, readToolsets } from '@svc/mcp';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inject } from 'light-my-request';
import { Failure, RateLimited } from '../../platform/failure.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import { addressKey } from '../rate-limits.ts';
import { refuseRepeatedHeaders } from '../credentials.ts';
import { answerFailure, LIMIT_HEADERS } from '../errors.ts';
import { isLoopback } from '../../settings/listen-address.ts';
import type { HttpDependencies, ProgramSignIn } from '../dependencies.ts';

/** Fits the longest text with every character escaped. */
const BODY_LIMIT = 64 * 1024;

const [RETRY_AFTER, ...OTHER_LIMITS] = LIMIT_HEADERS;
const EXPOSED = ['MCP-Protocol-Version', 'Mcp-Session-Id', RETRY_AFTER!, 'WWW-Authenticate', ...OTHER_LIMITS];

/** Mounts streamable HTTP without sessions (docs/agents.md). `Authorization` is the only credential. */
export function mountMcp(
  app: FastifyInstance,
  { baseUrl, config, identity, meters }: HttpDependencies,
): void {
  const { authenticator, program } = identity;
  mountResourceMetadata(app, baseUrl, program);
  const isAllowed = originRule(baseUrl, config.mcpOrigins);
  void app.register(
    async (mcp) => {
      mcp.addHook('onRequest', (request, _reply, next) => {
        requireOrigin(request.headers.origin, isAllowed);
        next();
      });
      await mcp.register(cors, {
        origin: true,
        methods: ['GET', 'HEAD', 'POST', 'DELETE'],
        exposedHeaders: EXPOSED,
        strictPreflight: false,
      });
      mcp.setErrorHandler(sendRpcErrors((request) => challenge(baseUrl, program, request)));

      mcp.post('/', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
        const { body, headers, ip } = request;
        const toolsets = chosenToolsets(request.query);
        // The API's limits count the calls of the tools.
        await meters.mcp.take(addressKey(ip));
        if (Array.isArray(body))
          throw new Failure('bad_request', 'the body is a batch: send one JSON-RPC message in each request');
        if (headers.authorization === undefined && lacksAccount(body))
          throw new Failure(
            'unauthorized',
            'this tool needs an account: send `Authorization: Bearer <API key or token>`, or call register and give its key as api_key',
          );
        const answer = await answerMcp(
          {
            baseUrl,
            apiKey: bearerToken(headers.authorization),
            keyPair: undefined,
            drand: config.drandChain,
            trust: undefined,
            rpcUrls: [`${baseUrl}/rpc`],
            fetch: inProcessFetch(app, ip),
            toolsets,
          },
          { body: body ?? null, headers },
        );
        void reply.code(answer.status).header('Cache-Control', 'no-store');
        if (answer.body === undefined) return reply.send();
        return reply.header('Content-Type', 'application/json; charset=utf-8').send(answer.body);
      });

      // An invalid credential fails before the body is read.
      mcp.addHook('onRequest', async (request) => {
        refuseRepeatedHeaders(request.raw.rawHeaders, new Set(['authorization', 'host']));
        const { authorization } = request.headers;
        if (authorization !== undefined) await authenticator.authenticate(authorization);
      });

      // The transport's other methods need sessions.
      mcp.route({
        method: ['GET', 'DELETE'],
        url: '/',
        handler: (_request, reply) => {
          const failure = new Failure(
            'bad_request',
            'this path accepts POST only: there are no sessions and no server messages',
          );
          void reply
            .code(405)
            .header('Allow', 'POST')
            .header('Cache-Control', 'no-store')
            .send(rpcError(failure));
        },
      });
    },
    { prefix: '/mcp' },
  );
}

function chosenToolsets(query: unknown): ReturnType<typeof readToolsets> {
  try {
    const { toolsets } = query as { toolsets?: string | string[] };
    return readToolsets(toolsets === undefined ? undefined : String(toolsets));
  } catch (error) {
    throw new Failure('bad_request', (error as Error).message);
  }
}

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const SERVER_ERROR = -32000;

const sendRpcErrors =
  (challenge: (request: FastifyRequest) => string) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const failure = answerFailure(error, request, reply);
    if (failure.code === 'unauthorized') void reply.header('WWW-Authenticate', challenge(request));
    void reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(rpcError(failure)));
  };

function rpcError(failure: Failure): object {
  const { code, message, details } = failure;
  // json-body.ts writes this detail.
  const unreadable = code === 'bad_request' && details !== undefined;
  return {
    jsonrpc: '2.0',
    id: null,
    error: {
      code: unreadable ? PARSE_ERROR : code === 'bad_request' ? INVALID_REQUEST : SERVER_ERROR,
      message,
      data: { code, ...(failure instanceof RateLimited ? { retry_after_seconds: failure.retryAfter } : {}) },
    },
  };
}

/** The MCP specification demands this check against DNS rebinding. Programs send no `Origin`. */
function originRule(baseUrl: string, listed: readonly string[]): (origin: string) => boolean {
  const allowed = new Set([new URL(baseUrl).origin, ...listed]);
  return (origin) => allowed.has(origin) || (URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}

function requireOrigin(origin: string | undefined, isAllowed: (origin: string) => boolean): void {
  if (origin !== undefined && !isAllowed(origin))
    throw new Failure(
      'forbidden',
      'pages of this origin may not call /mcp: the operator can add the origin to MCP_ORIGINS',
    );
}

const PATH = '/.well-known/oauth-protected-resource/mcp';

/** Follows RFC 9728. */
function mountResourceMetadata(app: FastifyInstance, baseUrl: string, program: ProgramSignIn | null): void {
  const metadata = {
    resource: `${baseUrl}/mcp`,
    resource_name: 'Commitment service',
    resource_documentation: `${baseUrl}/docs/agents.md`,
    bearer_methods_supported: ['header'],
    ...(program && {
      authorization_servers: [program.issuer],
      scopes_supported: program.scope.split(' '),
    }),
  };
  app.get(PATH, async (_request, reply) => {
    void reply.header('Access-Control-Allow-Origin', '*').header('Cache-Control', 'no-cache');
    return metadata;
  });
}

function challenge(baseUrl: string, program: ProgramSignIn | null, { headers }: FastifyRequest): string {
  const parts = [
    ...(headers.authorization === undefined ? [] : ['error="invalid_token"']),
    `resource_metadata="${baseUrl}${PATH}"`,
    ...(program && headers.authorization === undefined ? [`scope="${program.scope}"`] : []),
  ];
  return `Bearer ${parts.join(', ')}`;
}

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` without a socket. It passes the credentials, counts requests for the given address and works during a
 * drain.
 */
export function inProcessFetch(app: FastifyInstance, remoteAddress: string): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    init.signal?.throwIfAborted();
    const answered = inject((request, response) => app.routing(request, response), {
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: { host: url.host, ...Object.fromEntries(new Headers(init.headers)) },
      remoteAddress,
      ...(init.body == null ? {} : { payload: init.body as string }),
    });
    const answer = await (init.signal ? orAborted(answered, init.signal) : answered);
    await turn();
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, String(value));
    }
    const { statusCode: status, rawPayload } = answer;
    return new Response(WITHOUT_BODY.has(status) ? null : new Uint8Array(rawPayload), { status, headers });
  };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
