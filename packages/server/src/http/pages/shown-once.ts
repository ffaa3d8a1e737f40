import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../../secrets/keyring.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from './cookies.ts';

const SECONDS = 120;

/** A secret that was just made, on its way to the page that shows it. */
export interface ShownOnce<Value> {
  give(reply: FastifyReply, userId: string, value: Value): void;
  /** What is to be shown now; undefined when there is nothing of this kind, or of this account. */
  take(request: FastifyRequest, reply: FastifyReply, userId: string): Value | undefined;
}

/** The value goes to the next page by way of the browser that asked, sealed: it is stored nowhere. */
export function shownOnce<Value>(keyring: Keyring, baseUrl: string, kind: string): ShownOnce<Value> {
  const { once } = cookieNames(baseUrl);
  const boundTo = (userId: string): string => `${kind} of ${userId}`;
  return {
    give(reply, userId, value) {
      const closed = keyring.close('web-session', Buffer.from(JSON.stringify(value)), boundTo(userId));
      setCookie(reply, once, closed.toString('base64url'), SECONDS);
    },
    take(request, reply, userId) {
      const closed = readCookie(request, once);
      if (closed === undefined) return undefined;
      try {
        const opened = keyring.open('web-session', Buffer.from(closed, 'base64url'), boundTo(userId));
        // A HEAD shows nothing, so it is still to be shown.
        if (request.method === 'GET') dropCookie(reply, once);
        return JSON.parse(opened.toString('utf8')) as Value;
      } catch {
        return undefined;
      }
    },
  };
}
