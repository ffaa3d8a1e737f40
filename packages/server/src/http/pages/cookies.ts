import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '@svc/contract';
import type { Theme } from '@svc/web';
import type { Keyring } from '../../platform/secrets/keyring.ts';

/** Cookies of the pages. The API reads none. */
interface CookieNames {
  session: string;
  signIn: string;
  /** sign-out that the issuer has not confirmed */
  leaving: string;
  once: string;
  etched: string;
  theme: string;
}

/** Uses `__Host-` over https. Cookies ignore ports, so without https the name contains the port. */
export function cookieNames(baseUrl: string): CookieNames {
  const { protocol, port } = new URL(baseUrl);
  const name = (what: string): string =>
    protocol === 'https:' ? `__Host-svc_${what}` : `svc_${what}${port && `_${port}`}`;
  return {
    session: name('session'),
    signIn: name('sign_in'),
    leaving: name('leaving'),
    once: name('once'),
    etched: name('etched'),
    theme: name('theme'),
  };
}

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined;
  }
  return undefined;
}

export function setCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  void reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export const dropCookie = (reply: FastifyReply, name: string): void => setCookie(reply, name, '', 0);

const ETCHED_SECONDS = 60;

/** Makes the next page delete the stored draft. */
export const noteEtched = (reply: FastifyReply, baseUrl: string, draft: string): void =>
  setCookie(reply, cookieNames(baseUrl).etched, draft, ETCHED_SECONDS);

export function etchedOf(baseUrl: string, request: FastifyRequest): string | undefined {
  const draft = readCookie(request, cookieNames(baseUrl).etched);
  return draft !== undefined && isUuid(draft) ? draft : undefined;
}

const ONCE_SECONDS = 120;

interface ShownOnce<Value> {
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
      setCookie(reply, once, closed.toString('base64url'), ONCE_SECONDS);
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

declare module 'fastify' {
  interface FastifyRequest {
    theme?: Theme | 'device' | null;
  }
}

export const YEAR = 365 * 86_400;
export const isTheme = (text: string | undefined): text is Theme => text === 'light' || text === 'dark';

/** The server renders the chosen theme, so that pages do not flash. */
export function themeOf(baseUrl: string, request: FastifyRequest): Theme | undefined {
  if (request.theme) return isTheme(request.theme) ? request.theme : undefined;
  if (request.headers.cookie === undefined) return undefined;
  const chosen = readCookie(request, cookieNames(baseUrl).theme);
  return isTheme(chosen) ? chosen : undefined;
}
