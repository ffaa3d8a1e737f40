import cors from '@fastify/cors';
import { answerMcp, lacksAccount, readToolsets } from '@svc/mcp';
import type { DrandChain } from '@svc/protocol/timelock';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { type Authenticator, bearerToken } from '../../identity/authenticate.ts';
import { addressKey } from '../address.ts';
import { refuseRepeatedHeaders } from '../credentials.ts';
import type { RateLimiter } from '../rate-limits.ts';
import { rpcError, sendRpcErrors } from './errors.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { originRule, requireOrigin } from './origin.ts';
import { type AuthorizationServer, challenge, mountResourceMetadata } from './resource-metadata.ts';

export interface McpOptions {
  baseUrl: string;
  drand: DrandChain | undefined;
  authenticator: Authenticator;
  /** issues tokens to people; null: API keys only */
  identity: AuthorizationServer | null;
  meter: RateLimiter;
  origins: readonly string[];
}

/** Fits the longest text with every character escaped. */
const BODY_LIMIT = 64 * 1024;

const EXPOSED = [
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Mounts streamable HTTP without sessions (docs/agents.md). `Authorization` is the only credential. */
export function mountMcp(
  app: FastifyInstance,
  { baseUrl, drand, authenticator, identity, meter, origins }: McpOptions,
): void {
  mountResourceMetadata(app, { baseUrl, identity });
  const isAllowed = originRule(baseUrl, origins);
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
      mcp.setErrorHandler(sendRpcErrors((request) => challenge(baseUrl, identity, request)));

      mcp.post('/', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
        const { body, headers, ip } = request;
        const toolsets = chosenToolsets(request.query);
        // The API's limits count the calls of the tools.
        await meter.take(addressKey(ip));
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
            drand,
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
