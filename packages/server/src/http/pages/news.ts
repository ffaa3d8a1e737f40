import { NEWS_COUNTED } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import { newsCounted } from '../../follows/inbox.ts';
import type { Facts } from './parts.ts';
import { wantedForm } from './wanted.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** what waits in the inbox of who is signed in */
    news?: number | null;
  }
}

/**
 * Counts what waits in the inbox, for a page that somebody signed in opens, or that answers a form of theirs; for others
 * nothing is asked.
 */
export function countNews({ db, clock }: Pick<Facts, 'db' | 'clock'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { session, headers } = request;
    if (!session || wantedForm(headers.accept) !== 'html') return;
    try {
      request.news = await newsCounted(db, session.caller, clock.now(), NEWS_COUNTED);
    } catch (error) {
      // A page that can be shown without is shown without.
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  };
}
