import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from './cookies.ts';

const SECONDS = 120;

export interface ShownOnce<Value> {
  give(reply: FastifyReply, userId: string, value: Value): void;
  take(request: FastifyRequest, reply: FastifyReply, userId: string): Value | undefined;
}

/** The browser carries the encrypted value; the server does not store it. */
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
        // A HEAD request keeps the value for the next GET.
        if (request.method === 'GET') dropCookie(reply, once);
        return JSON.parse(opened.toString('utf8')) as Value;
      } catch {
        return undefined;
      }
    },
  };
}
