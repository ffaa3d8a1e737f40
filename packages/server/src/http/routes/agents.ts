import { ROUTES } from '@svc/contract';
import type { FastifyInstance } from 'fastify';
import { registerAgent } from '../../accounts/register-agent.ts';
import { agentView } from '../../accounts/view.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import { addressKey } from '../address.ts';
import { operation } from '../operation.ts';
import type { RateLimiter } from '../rate-limits.ts';

export interface AgentRoutes {
  db: Db;
  clock: Clock;
  registrationMeter: RateLimiter;
}

export function mountAgents(api: FastifyInstance, { db, clock, registrationMeter }: AgentRoutes): void {
  operation(api, ROUTES.registerAgent, async ({ body, request }) => {
    const address = addressKey(request.ip);
    await registrationMeter.take(address);
    try {
      const { account, apiKey } = await registerAgent(db, clock, body);
      return { agent: agentView(account), api_key: apiKey };
    } catch (error) {
      // What failed registers nothing and spends nothing.
      await registrationMeter.giveBack(address);
      throw error;
    }
  });
}
