import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../db/clock.ts';
import { scoreAccount, scoreChallenge, type ScoreContext } from '../../records/scores/score.ts';
import { operation } from '../operation.ts';
import { idOf } from '../path-id.ts';

export interface ScoreRoutes extends Omit<ScoreContext, 'now'> {
  clock: Clock;
}

export function mountScores(api: FastifyInstance, { clock, ...parts }: ScoreRoutes): void {
  operation(api, ROUTES.scoreAccount, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return scoreAccount({ ...parts, now: clock.now() }, params.username, Number(query.page ?? 1));
  });

  operation(api, ROUTES.scoreChallenge, async ({ params, query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    const id = idOf(params.id, 'there is no challenge with this id');
    return scoreChallenge({ ...parts, now: clock.now() }, id, Number(query.page ?? 1));
  });
}
