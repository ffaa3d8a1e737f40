import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[2-9a-hjkmnp-z]{6})';
/** Clients may percent-encode the signs. */
const SIGNS = '(?:[/.,)\\]]|%2[9CEF]|%5D)+';
const ENDED = new RegExp(`^(/(?:e|ch)/${NAME}(?:\\.md)?)${SIGNS}(\\?.*)?$`, 'i');

/**
 * The address of an etch or a challenge without the signs that a text puts behind a link: `/e/abc234).` is `/e/abc234`.
 * Undefined when the address has no such end.
 */
function withoutEnd(url: string): string | undefined {
  const [, address, query = ''] = ENDED.exec(url) ?? [];
  return address === undefined ? undefined : address + query;
}

/** Redirects a reader who followed such a link (308). @returns whether it did */
export function leaveOutEnd({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const address = method === 'GET' || method === 'HEAD' ? withoutEnd(url) : undefined;
  if (address === undefined) return false;
  void reply.redirect(address, 308);
  return true;
}
