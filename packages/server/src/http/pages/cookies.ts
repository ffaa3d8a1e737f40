import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookies of the pages; the API reads none. */
export interface CookieNames {
  /** the session's random value */
  session: string;
  /** a pending sign-in, encrypted */
  signIn: string;
  /** a session that ended here and is yet to end at the issuer */
  leaving: string;
  /** a value that the next page shows once, encrypted */
  once: string;
  /** the draft that was just etched */
  etched: string;
  /** light or dark, if the reader chose one */
  theme: string;
}

/**
 * Over https, only this host can set them, over https only (`__Host-`). Cookies ignore ports, so without https the name contains the port
 * to separate two services on one machine.
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

/** Scripts cannot read the cookie, and other sites' forms do not send it. */
export function setCookie(reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  const secure = name.startsWith('__Host-') ? '; Secure' : '';
  void reply.header(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export const dropCookie = (reply: FastifyReply, name: string): void => setCookie(reply, name, '', 0);
