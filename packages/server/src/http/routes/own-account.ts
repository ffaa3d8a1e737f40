import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROUTES } from '@svc/contract';
import { addKey, listKeys, revoke } from '../../accounts/key-store.ts';
import { readBucket } from '../../accounts/allowance-store.ts';
import { findAccount, renameAccount } from '../../accounts/store.ts';
import { agentView, issuedKeyView, limitsView, meView, vouchedAgentView } from '../../accounts/view.ts';
import { toTime } from '../../db/clock.ts';
import {
  countAnswers,
  keepAnswers,
  keptAnswers,
  readAllAnswers,
  readGuide,
  requireGuide,
} from '../../guide/store.ts';
import { bearerToken } from '../../identity/authenticate.ts';
import { follow, listFollows, listWatching, unfollow } from '../../notify/follows/store.ts';
import { idOf } from '../errors.ts';
import { operation, type Operations } from '../operation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { addressKey, isDevelopers } from '../rate-limits.ts';
import {
  claimDomain,
  dropDomain,
  linkOperator,
  recoverKey,
  registerAgent,
  unlinkOperator,
} from '../../accounts/agent-store.ts';

export const accountRoutes = ({
  db,
  clock,
  config: { limits },
  identity: { social },
}: HttpDependencies): Operations => ({
  getMe: async ({ caller }) => ({ user: meView((await findAccount(db, caller.userId))!) }),

  updateMe: async ({ caller, body }) => ({
    user: meView((await renameAccount(db, caller.userId, body.display_name))!),
  }),

  syncSocial: async ({ caller, headers }) => ({
    user: meView(await social.sync(caller, bearerToken(headers.authorization))),
  }),

  getLimits: async ({ caller }) =>
    limitsView(caller, await readBucket(db, caller.userId, 'etch'), limits, clock.now()),

  listKeys: async ({ caller }) => ({ keys: await listKeys(db, caller.userId) }),

  async createKey({ caller, body: { name, scope = 'read' } }) {
    const key = { userId: caller.userId, name, scope, at: toTime(clock.now()) };
    const { row, value } = await addKey(db, key, limits.keysPerAccount);
    return { key: issuedKeyView(row), api_key: value };
  },

  async revokeKey({ caller, params }) {
    const id = idOf(params.id, 'no active key of this account has that id');
    return { key: await revoke(db, clock, caller, id) };
  },
});

export const followRoutes = ({ db, clock, view, config: { limits } }: HttpDependencies): Operations => ({
  follow: async ({ caller, body }) => ({
    follow: await follow({ db, clock, most: limits.followsPerAccount }, caller, body),
  }),
  unfollow: async ({ caller, query }) => ({ unfollowed: await unfollow(db, caller, query) }),
  listFollows: ({ caller }) => listFollows(db, caller),
  listWatching: ({ caller }) => listWatching(db, caller, clock.now(), view),
});

export const guideRoutes = ({ db, clock, view, config: { guide } }: HttpDependencies): Operations => ({
  getGuide: ({ caller }) => readGuide(db, caller, clock.now(), guide, view),
  listAnswers: async ({ caller }) => ({ testers: await readAllAnswers(db, caller, clock.now(), guide) }),
});

export function mountGuideAnswers(
  api: FastifyInstance,
  { db, clock, config: { guide }, meters }: HttpDependencies,
): void {
  const taken = new WeakMap<FastifyRequest, number>();
  operation(
    api,
    ROUTES.sendAnswers,
    async ({ caller, body }) => {
      const kept = keptAnswers(body);
      await keepAnswers(db, clock, caller, body, kept);
      return { sent: kept.length };
    },
    {
      async preValidation(request) {
        requireGuide(guide);
        if (request.caller) return;
        const points = Math.max(1, countAnswers(request.body));
        await meters.guide.take(addressKey(request.ip), points);
        taken.set(request, points);
      },
      /** Refunds all points but one, so that failed requests are limited too. */
      async onError(request) {
        const points = taken.get(request) ?? 1;
        if (points > 1) await meters.guide.giveBack(addressKey(request.ip), points - 1);
      },
    },
  );
}

export function agentRoutes({ db, clock, guard, meters, config: { limits } }: HttpDependencies): Operations {
  const { registration, failedRegistration } = meters;

  /** A failed request uses a separate allowance, taken before the work, because checking signatures costs CPU. */
  async function metered<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    if (isDevelopers(limits, request)) return work();
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
