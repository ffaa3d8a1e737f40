import { NEWS_COUNTED } from '@svc/web';
import type { FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../db/db.ts';
import { newsCounted } from '../../notify/follows/inbox.ts';
import type { Facts } from './parts.ts';
import { wantedForm } from './wanted.ts';

declare module 'fastify' {
  interface FastifyRequest {
    news?: number | null;
  }
}

export function countNews({ db, clock }: Pick<Facts, 'db' | 'clock'>) {
  return async (request: FastifyRequest): Promise<void> => {
    const { session, headers } = request;
    if (!session || wantedForm(headers.accept) !== 'html') return;
    try {
      request.news = await newsCounted(db, session.caller, clock.now(), NEWS_COUNTED);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
    }
  };
}
