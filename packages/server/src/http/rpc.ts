import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Rpc } from '../chain/client.ts';
import { createRpcProxy } from '../chain/rpc-proxy.ts';
import { addressKey } from './address.ts';
import { sendError } from './errors.ts';
import type { RateLimiter } from './rate-limits.ts';

export interface RpcOptions {
  rpc: Rpc;
  contract: `0x${string}`;
  meter?: RateLimiter;
  /** where it stands (default `/rpc`) */
  prefix?: string;
}

/**
 * `/rpc`: the chain, read-only, for browsers and whoever has no node
 * (docs/specification.md#outside-the-prefix).
 */
export function mountRpc(app: FastifyInstance, { rpc, contract, meter, prefix = '/rpc' }: RpcOptions): void {
  const handle = createRpcProxy({ rpc, contract });
  void app.register(
    async (scope) => {
      await scope.register(cors, { origin: '*', methods: ['POST'], strictPreflight: false });
      scope.setErrorHandler(sendError);
      scope.post('/', async (request, reply) => {
        await meter?.take(addressKey(request.ip));
        const { status, body } = await handle(request.body);
        return reply.code(status).send(body);
      });
    },
    { prefix },
  );
}
