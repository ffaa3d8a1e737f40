import { NEWS_COUNTED } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import { newsCounted } from '../../follows/inbox.ts';
import type { Facts } from './parts.ts';
import { wantedForm } from './wanted.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** number of unread entries in the signed-in person's inbox */
    news?: number | null;
  }
}

/** Counts unread inbox entries when a signed-in person opens a page or gets an answer to a form; other requests cost no query. */
export function countNews({ db, clock }: Pick<Facts, 'db' | 'clock'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { session, headers } = request;
    if (!session || wantedForm(headers.accept) !== 'html') return;
    try {
      request.news = await newsCounted(db, session.caller, clock.now(), NEWS_COUNTED);
    } catch (error) {
      // Show the page without the count.
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  };
}
