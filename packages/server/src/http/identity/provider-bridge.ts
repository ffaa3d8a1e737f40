import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { badField } from '../../errors/failure.ts';
import { EMBEDDED_PATH } from '../../identity/embedded/issuer.ts';

/** The provider's time to parse a query grows with the square of its parameters: 3,500 block the event loop for 50 ms. */
const MOST_PARAMETERS = 64;

/** Passes all other paths to oidc-provider, which reads the request and writes the answer. */
export function mountProvider(
  scope: FastifyInstance,
  { baseUrl, provider }: { baseUrl: string; provider: () => Promise<Provider> },
): void {
  void scope.register(async (bridge) => {
    bridge.removeAllContentTypeParsers();
    bridge.addContentTypeParser('*', (_request, _body, done) => done(null));
    bridge.all('/*', async (request, reply) => {
      if (request.raw.url!.split('&').length > MOST_PARAMETERS)
        throw badField('query', `must have at most ${MOST_PARAMETERS} parameters`);
      const callback = (await provider()).callback();
      toProvider(request, reply, baseUrl);
      await callback(request.raw, reply.raw);
    });
  });
}

/**
 * Prepares the raw request for oidc-provider: the URL relative to the mount, and the public origin in the headers that it reads. The
 * request's own Host was checked before.
 */
function toProvider(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl);
  const raw = request.raw as typeof request.raw & { originalUrl?: string };
  forwardedAs(raw.headers, protocol, host);
  raw.originalUrl = raw.url!;
  raw.url = raw.url!.slice(EMBEDDED_PATH.length);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

function forwardedAs(headers: FastifyRequest['raw']['headers'], protocol: string, host: string): void {
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
}
