import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { badField } from '../../platform/failure.ts';
import { EMBEDDED_PATH } from '../../identity/embedded/issuer.ts';

/** oidc-provider parses a query in quadratic time: 3,500 parameters take 50 ms. */
const MOST_PARAMETERS = 64;

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

function toProvider(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const { protocol, host } = new URL(baseUrl);
  const raw = request.raw as typeof request.raw & { originalUrl?: string };
  forwardedAs(raw.headers, protocol, host, request.ip);
  raw.originalUrl = raw.url!;
  raw.url = raw.url!.slice(EMBEDDED_PATH.length);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
}

function forwardedAs(
  headers: FastifyRequest['raw']['headers'],
  protocol: string,
  host: string,
  ip: string,
): void {
  headers['x-forwarded-for'] = ip;
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
}
