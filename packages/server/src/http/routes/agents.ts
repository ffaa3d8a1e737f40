import { ROUTES } from '@svc/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recoverKey } from '../../accounts/keys.ts';
import { registerAgent } from '../../accounts/register-agent.ts';
import { agentView, issuedKeyView, vouchedAgentView } from '../../accounts/view.ts';
import { claimDomain, dropDomain, linkOperator, unlinkOperator } from '../../accounts/vouching.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { GuardedOptions } from '../../platform/outgoing/guarded-request.ts';
import { addressKey, type RateLimiter } from '../rate-limits.ts';
import { operation } from '../operation.ts';

export interface AgentRoutes {
  db: Db;
  clock: Clock;
  registrationMeter: RateLimiter;
  failureMeter: RateLimiter;
  domainCheck: GuardedOptions;
  domainMeter: RateLimiter;
}

export function mountAgents(api: FastifyInstance, parts: AgentRoutes): void {
  const { db, clock, registrationMeter, failureMeter, domainCheck, domainMeter } = parts;

  /** A failed request uses a separate allowance, taken before the work, because checking signatures costs CPU. */
  const metered = async <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> => {
    const address = addressKey(request.ip);
    await failureMeter.take(address);
    try {
      await registrationMeter.take(address);
    } catch (error) {
      await failureMeter.giveBack(address);
      throw error;
    }
    let done = false;
    try {
      const result = await work();
      done = true;
      return result;
    } finally {
      await (done ? failureMeter : registrationMeter).giveBack(address);
    }
  };

  operation(api, ROUTES.registerAgent, ({ body, request }) =>
    metered(request, async () => {
      const { account, apiKey } = await registerAgent(db, clock, body);
      return { agent: agentView(account), api_key: apiKey };
    }),
  );

  operation(api, ROUTES.recoverAgentKey, ({ body, request }) =>
    metered(request, async () => {
      const { row, value } = await recoverKey(db, clock, body);
      return { key: issuedKeyView(row), api_key: value };
    }),
  );

  operation(api, ROUTES.setDomain, async ({ caller, body }) => ({
    agent: vouchedAgentView(
      await claimDomain(
        { db, clock, guard: domainCheck, count: (domain) => domainMeter.take(domain) },
        caller,
        body.domain,
      ),
    ),
  }));

  operation(api, ROUTES.dropDomain, async ({ caller }) => ({
    agent: vouchedAgentView(await dropDomain(db, caller)),
  }));

  operation(api, ROUTES.linkOperator, async ({ caller, body }) => ({
    agent: vouchedAgentView(await linkOperator(db, clock, caller, body)),
  }));

  operation(api, ROUTES.unlinkOperator, async ({ caller, body }) => ({
    agent: vouchedAgentView(await unlinkOperator(db, caller, body.public_key)),
  }));
}
