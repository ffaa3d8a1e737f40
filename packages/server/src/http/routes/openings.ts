import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { makeOpening, type OpeningDependencies } from '../../etches/opening.ts';
import { operation } from '../operation.ts';
import { idOf } from '../path-id.ts';
import type { RateLimiter } from '../rate-limits.ts';
import { NO_ETCH } from './etches.ts';

export function mountOpenings(
  api: FastifyInstance,
  { meter, ...openings }: OpeningDependencies & { meter: RateLimiter },
): void {
  api.addHook('onClose', () => openings.timelock.close());

  operation(api, ROUTES.getOpening, async ({ caller, params, reply }) => {
    void reply.header('Cache-Control', 'no-store');
    const count = () => meter.take(caller.userId, 1);
    return makeOpening(openings, caller, idOf(params.id, NO_ETCH), count);
  });
}
