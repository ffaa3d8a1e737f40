import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookies of the pages. The API reads none. */
export interface CookieNames {
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
