import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { createRpcProxy } from '../chain/rpc-proxy.ts';
import { addressKey } from './address.ts';
import { sendError } from './errors.ts';
import type { RateLimiter } from './rate-limits.ts';

export interface RpcOptions {
  /** never shown: they may hold a provider's key */
  urls: readonly string[];
  contract: `0x${string}`;
  meter: RateLimiter;
}

const MAX_ANSWER_BYTES = 1024 * 1024;

/** `/rpc`: the chain, read-only, for browsers and whoever has no node (DECISIONS.md §1). */
export function mountRpc(app: FastifyInstance, { urls, contract, meter }: RpcOptions): void {
  const handle = createRpcProxy({ urls, contract, timeoutMs: 5_000, maxBytes: MAX_ANSWER_BYTES });
  void app.register(
    async (rpc) => {
      await rpc.register(cors, { origin: '*', methods: ['POST'], strictPreflight: false });
      rpc.setErrorHandler(sendError);
      rpc.post('/', async (request, reply) => {
        await meter.take(addressKey(request.ip));
        const { status, body } = await handle(request.body);
        return reply.code(status).send(body);
      });
    },
    { prefix: '/rpc' },
  );
}
