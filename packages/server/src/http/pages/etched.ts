import { isUuid } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNames, readCookie, setCookie } from './cookies.ts';

const SECONDS = 60;

/** Makes the next page delete the stored draft. */
export const noteEtched = (reply: FastifyReply, baseUrl: string, draft: string): void =>
  setCookie(reply, cookieNames(baseUrl).etched, draft, SECONDS);

export function etchedOf(baseUrl: string, request: FastifyRequest): string | undefined {
  const draft = readCookie(request, cookieNames(baseUrl).etched);
  return draft !== undefined && isUuid(draft) ? draft : undefined;
}
