import type { FastifyInstance } from 'fastify';
import { refuseSuspended } from '../../credentials.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { mountSignInPages } from './sign-in.tsx';
import { mountWritePages } from './write.tsx';
import { mountNewChallengePages } from './new-challenge.tsx';
import { mountRetractPage } from './retract.tsx';
import { mountEtchActions } from './etch-actions.ts';
import { mountResolvePages } from './resolve.tsx';
import { mountFollowingPages } from './following.tsx';
import { mountFollowButtons } from './follow-buttons.ts';
import { mountInboxPage } from './inbox.tsx';
import { mountProfilePage } from './account-profile.tsx';
import { mountLimitsPage } from './account-limits.tsx';
import { mountExport } from './account-export.ts';
import { mountKeyPages } from './account-keys.tsx';
import { mountAgentPages } from './account-agents.tsx';
import { mountWebhookPages } from './account-webhooks.tsx';

/** These paths equal `whileSuspended` of the contract. */
const WHILE_SUSPENDED: ReadonlySet<string> = new Set([
  '/e/:id/retract',
  '/e/:id/reveal',
  '/e/:id/opening',
  '/account/keys/:id/revoke',
  '/account/agents/unlink',
  '/account/webhooks/:id/pause',
  '/account/webhooks/:id/remove',
  '/unfollow',
  '/inbox/seen',
  '/sign-out',
  '/theme',
]);

export function mountSignedInPages(pages: FastifyInstance, deps: HttpDependencies): void {
  pages.addHook('preValidation', async ({ method, routeOptions, session }) => {
    if (method === 'POST' && session && !WHILE_SUSPENDED.has(routeOptions.url ?? ''))
      refuseSuspended(session.caller);
  });
  for (const mount of [
    mountSignInPages,
    mountWritePages,
    mountNewChallengePages,
    mountRetractPage,
    mountEtchActions,
    mountResolvePages,
    mountFollowingPages,
    mountFollowButtons,
    mountInboxPage,
    mountProfilePage,
    mountLimitsPage,
    mountExport,
    mountKeyPages,
    mountAgentPages,
    mountWebhookPages,
  ])
    mount(pages, deps);
}
