import type { FastifyReply } from 'fastify';

/** After a form that was taken: to a page that can be read again without doing it again. */
export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(path, 303);
}
