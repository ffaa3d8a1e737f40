// Mounts the read-only JSON-RPC proxy at /rpc.
import cors from '@fastify/cors';
import { fastify, type FastifyInstance } from 'fastify';
import type { Rpc } from '../chain/client.ts';
import { createRpcProxy } from '../chain/rpc-proxy.ts';
import type { ChainReads } from './rate-limits.ts';
import { LIMIT_HEADERS, sendError } from './errors.ts';
import type { HttpDependencies } from './dependencies.ts';

interface RpcOptions {
  rpc: Rpc;
  contract: `0x${string}`;
  reads?: ChainReads;
  prefix: string;
}

/** Serves reads only (docs/specification.md#outside-the-prefix). */
export const mountRpc = (
  app: FastifyInstance,
  { chain: { rpc, facts }, chainReads }: HttpDependencies,
): void => mountProxy(app, { rpc, contract: facts.contract, reads: chainReads, prefix: '/rpc' });

function mountProxy(app: FastifyInstance, { rpc, contract, reads, prefix }: RpcOptions): void {
  const handle = createRpcProxy({ rpc, contract });
  void app.register(
    async (scope) => {
      await scope.register(cors, {
        origin: '*',
        methods: ['POST'],
        exposedHeaders: LIMIT_HEADERS,
        strictPreflight: false,
      });
      scope.setErrorHandler(sendError);
      scope.post('/', async (request, reply) => {
        const { status, body } = await handle(request.body, async (requests, calls) =>
          reads?.take(request.ip, requests, calls),
        );
        return reply.code(status).send(body);
      });
    },
    { prefix },
  );
}

export function createRpcApp(options: Pick<RpcOptions, 'rpc' | 'contract'>): FastifyInstance {
  const app = fastify({ bodyLimit: 256 * 1024 });
  mountProxy(app, { ...options, prefix: '/' });
  return app;
}
