import type { FastifyRequest } from 'fastify';
import { registerAgent } from '../../accounts/register-agent.ts';
import { agentView, issuedKeyView, vouchedAgentView } from '../../accounts/view.ts';
import { claimDomain, dropDomain, linkOperator, unlinkOperator } from '../../accounts/vouching.ts';
import type { Operations } from '../operation.ts';
import type { Parts } from '../parts.ts';
import { addressKey } from '../rate-limits.ts';
import { recoverKey } from '../../accounts/keys.ts';

export function agentRoutes({ db, clock, guard, meters }: Parts): Operations {
  const { registration, failedRegistration } = meters;

  /** A failed request uses a separate allowance, taken before the work, because checking signatures costs CPU. */
  async function metered<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const address = addressKey(request.ip);
    let unused = failedRegistration;
    await failedRegistration.take(address);
    try {
      await registration.take(address);
      unused = registration;
      const result = await work();
      unused = failedRegistration;
      return result;
    } finally {
      await unused.giveBack(address);
    }
  }

  return {
    registerAgent: ({ body, request }) =>
      metered(request, async () => {
        const { account, apiKey } = await registerAgent(db, clock, body);
        return { agent: agentView(account), api_key: apiKey };
      }),

    recoverAgentKey: ({ body, request }) =>
      metered(request, async () => {
        const { row, value } = await recoverKey(db, clock, body);
        return { key: issuedKeyView(row), api_key: value };
      }),

    async setDomain({ caller, body }) {
      const parts = { db, clock, guard, count: (domain: string) => meters.domain.take(domain) };
      return { agent: vouchedAgentView(await claimDomain(parts, caller, body.domain)) };
    },

    dropDomain: async ({ caller }) => ({ agent: vouchedAgentView(await dropDomain(db, caller)) }),

    linkOperator: async ({ caller, body }) => ({
      agent: vouchedAgentView(await linkOperator(db, clock, caller, body)),
    }),

    unlinkOperator: async ({ caller, body }) => ({
      agent: vouchedAgentView(await unlinkOperator(db, caller, body.public_key)),
    }),
  };
}
