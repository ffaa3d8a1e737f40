import type { FastifyInstance } from 'fastify';
import { refuseSuspended } from '../../credentials.ts';
import type { PageParts } from '../parts.ts';
import { mountAccountPages, mountExport } from './account.ts';
import { mountAgentPages, mountKeyPages } from './keys.ts';
import { mountEtchActions } from './etch-actions.ts';
import { mountInboxPages, mountReadingPages } from './inbox.ts';
import { mountNewChallengePages } from './new-challenge.ts';
import { mountResolvePages } from './resolve.ts';
import { mountSignInPages } from './sign-in.ts';
import { mountWebhookPages } from './webhooks.ts';
import { mountWritePages } from './write.ts';

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

export function mountSignedInPages(pages: FastifyInstance, parts: PageParts): void {
  pages.addHook('preValidation', async ({ method, routeOptions, session }) => {
    if (method === 'POST' && session && !WHILE_SUSPENDED.has(routeOptions.url ?? ''))
      refuseSuspended(session.caller);
  });
  mountSignInPages(pages, parts);
  mountWritePages(pages, parts);
  mountNewChallengePages(pages, parts);
  mountEtchActions(pages, parts);
  mountResolvePages(pages, parts);
  mountReadingPages(pages, parts);
  mountInboxPages(pages, parts);
  mountExport(pages, parts);
  mountAccountPages(pages, parts);
  mountKeyPages(pages, parts);
  mountAgentPages(pages, parts);
  mountWebhookPages(pages, parts);
}
