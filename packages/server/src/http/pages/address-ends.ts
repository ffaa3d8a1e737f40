import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[2-9a-hjkmnp-z]{6})';
/** Characters that often follow a pasted URL. Some clients percent-encode them. */
const SIGNS = '(?:[/.,)\\]]|%2[9CEF]|%5D)+';
const ENDED = new RegExp(`^(/(?:e|ch)/${NAME}(?:\\.md)?)${SIGNS}(\\?.*)?$`, 'i');

function withoutEnd(url: string): string | undefined {
  const [, address, query = ''] = ENDED.exec(url) ?? [];
  return address === undefined ? undefined : address + query;
}

export function leaveOutEnd({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const address = method === 'GET' || method === 'HEAD' ? withoutEnd(url) : undefined;
  if (address === undefined) return false;
  void reply.redirect(address, 308);
  return true;
}
