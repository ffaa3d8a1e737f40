import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies of the pages; the API never reads any. */
export interface CookieNames {
  /** the session's opaque value */
  session: string;
  /** a sign-in under way, sealed */
  signIn: string;
  /** a session that ended here, to be ended at the issuer */
  leaving: string;
  /** what the next page shows once, sealed */
  once: string;
  /** the draft that was etched a moment ago */
  etched: string;
  /** light or dark, where the reader chose one */
  theme: string;
}

/**
 * Over https no other host and no plain connection can set them (`__Host-`). Cookies know no ports: without https two
 * services on one machine are told apart by name.
 */
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

/** Out of scripts' reach, and not sent along with what other sites post. */
export function setCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  void reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export const dropCookie = (reply: FastifyReply, name: string): void => setCookie(reply, name, '', 0);
