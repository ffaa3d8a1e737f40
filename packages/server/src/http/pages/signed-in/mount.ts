import type { FastifyInstance } from 'fastify';
import { refuseSuspended } from '../../credentials.ts';
import { mountAccountPages } from './account.ts';
import { mountAgentPages, mountKeyPages } from './keys-and-agents.ts';
import { mountEtchActions } from './etch-actions.ts';
import { mountInboxPages, mountReadingPages } from './inbox.ts';
import { mountNewChallengePages, mountResolvePages } from './questions.ts';
import { mountSignInPages } from './sign-in.ts';
import { mountWebhookPages } from './webhooks.ts';
import { mountWritePages } from './write.ts';
import type { Parts } from '../../parts.ts';

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

export function mountSignedInPages(pages: FastifyInstance, parts: Parts): void {
  pages.addHook('preValidation', async ({ method, routeOptions, session }) => {
    if (method === 'POST' && session && !WHILE_SUSPENDED.has(routeOptions.url ?? ''))
      refuseSuspended(session.caller);
  });
  for (const mount of [
    mountSignInPages,
    mountWritePages,
    mountNewChallengePages,
    mountEtchActions,
    mountResolvePages,
    mountReadingPages,
    mountInboxPages,
    mountAccountPages,
    mountKeyPages,
    mountAgentPages,
    mountWebhookPages,
  ])
    mount(pages, parts);
}
