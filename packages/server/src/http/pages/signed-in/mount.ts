import type { FastifyInstance } from 'fastify';
import type { PageParts } from '../parts.ts';
import { mountAccountPages } from './account.ts';
import { mountAgentPages } from './agents.ts';
import { mountEtchActions } from './etch-actions.ts';
import { mountKeyPages } from './keys.ts';
import { mountNewChallengePages } from './new-challenge.ts';
import { mountReadingPages } from './reading.ts';
import { mountSignInPages } from './sign-in.ts';
import { mountWritePages } from './write.ts';

/** What people do here themselves, each thing by a plain form that works without scripts. */
export function mountSignedInPages(pages: FastifyInstance, parts: PageParts): void {
  mountSignInPages(pages, parts);
  mountWritePages(pages, parts);
  mountNewChallengePages(pages, parts);
  mountEtchActions(pages, parts);
  mountReadingPages(pages, parts);
  mountAccountPages(pages, parts);
  mountKeyPages(pages, parts);
  mountAgentPages(pages, parts);
}
