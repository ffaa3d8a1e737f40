import type { FastifyReply } from 'fastify';

/** Redirects after a successful form, so that reloading the next page does not repeat it. */
export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(path, 303);
}
