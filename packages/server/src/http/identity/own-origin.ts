import type { FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/** Prevents DNS rebinding: a name that an attacker points at this machine must not sign people in. */
export function requireOwnOrigin(baseUrl: string, loopback: boolean) {
  const origins = ownOrigins(new URL(baseUrl), loopback);
  const hosts = new Set([...origins].map((origin) => new URL(origin).host));
  return async ({ headers }: FastifyRequest): Promise<void> => {
    const { host = '', origin } = headers;
    // A forwarded request comes from a different machine.
    if (loopback && FORWARDED.some((name) => headers[name] !== undefined))
      throw new Failure(
        'forbidden',
        'the embedded identity provider signs people in without a password: it rejects requests through a proxy',
      );
    if (!hosts.has(host.toLowerCase()))
      throw new Failure('forbidden', `the identity provider answers only at ${baseUrl}`);
    if (origin !== undefined && !origins.has(origin.toLowerCase()))
      throw new Failure('forbidden', 'the identity provider rejects requests from pages of other origins');
  };
}

function ownOrigins(base: URL, loopback: boolean): Set<string> {
  const origins = new Set([base.origin]);
  if (loopback) {
    const port = base.port === '' ? '' : `:${base.port}`;
    for (const name of ['localhost', '127.0.0.1', '[::1]']) origins.add(`${base.protocol}//${name}${port}`);
  }
  return origins;
}
