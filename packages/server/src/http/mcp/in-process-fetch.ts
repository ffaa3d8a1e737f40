import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { inject } from 'light-my-request';

const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * A `fetch` without a socket. It passes the credentials, counts requests for the given address and works during a
 * drain.
 */
export function inProcessFetch(app: FastifyInstance, remoteAddress: string): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    init.signal?.throwIfAborted();
    const answered = inject((request, response) => app.routing(request, response), {
      method: (init.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: { host: url.host, ...Object.fromEntries(new Headers(init.headers)) },
      remoteAddress,
      ...(init.body == null ? {} : { payload: init.body as string }),
    });
    const answer = await (init.signal ? orAborted(answered, init.signal) : answered);
    await turn();
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers.set(name, String(value));
    }
    const { statusCode: status, body } = answer;
    return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers });
  };
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
