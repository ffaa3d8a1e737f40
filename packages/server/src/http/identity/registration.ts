import type { FastifyInstance } from 'fastify';
import {
  type ClientIds,
  ClientRefused,
  publicClient,
  readClient,
} from '../../identity/embedded/foreign-clients.ts';
import { addressKey } from '../address.ts';
import type { RateLimiter } from '../rate-limits.ts';

export const REGISTRATION_PATH = '/register';

/** Registers MCP clients (RFC 7591). */
export function mountRegistration(scope: FastifyInstance, ids: ClientIds, meter: RateLimiter): void {
  scope.post(REGISTRATION_PATH, { bodyLimit: 16 * 1024 }, async (request, reply) => {
    await meter.take(addressKey(request.ip));
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
