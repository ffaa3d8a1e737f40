import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { ca, HOST, startTlsServer } from '../../fixtures/tls-server.ts';

export const HOOK = `https://${HOST}/hook?from=svc`;

/** The timeout is the production one unless given, because a busy machine must not count as a failing receiver. */
export function useHookedService({ timeoutMs }: { timeoutMs?: number } = {}) {
  const receiver = {
    received: [] as { path: string; headers: IncomingHttpHeaders; body: string }[],
    /** null: it does not answer */
    answer: { status: 200 } as { status: number; headers?: Record<string, string> } | null,
  };
  let server: Awaited<ReturnType<typeof startTlsServer>>;
  const service = useService(async () => {
    server = await startTlsServer((request, response) => {
      void text(request).then((body) => {
        receiver.received.push({ path: request.url!, headers: request.headers, body });
        if (receiver.answer)
          response.writeHead(receiver.answer.status, receiver.answer.headers).end('thanks');
      });
    });
    return {
      settings: {
        DOMAIN_CHECK_TEST_HOSTS: `${HOST}=127.0.0.1:${server.port}`,
        TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '3',
      },
      domainCheck: { ca, ...(timeoutMs && { timeoutMs }) },
    };
  });
  afterAll(() => server.close());
  beforeEach(() => {
    Object.assign(receiver, { received: [], answer: { status: 200 } });
    service.clock.release();
  });

  const add = (agent: TestAgent, body: object = { url: HOOK }) =>
    service.post('/api/v1/me/webhooks', body, agent);
  const log = async (agent: TestAgent, id: string): Promise<any[]> =>
    (await service.get(`/api/v1/me/webhooks/${id}/deliveries`, agent)).body.deliveries;
  const shown = async (agent: TestAgent): Promise<any[]> =>
    (await service.get('/api/v1/me/webhooks', agent)).body.webhooks;
  /** An agent with a webhook. */
  async function hooked(body?: object) {
    const agent = await service.registerAgent();
    const { webhook, secret } = (await add(agent, body)).body;
    return { agent, webhook, id: webhook.id as string, secret: secret as string };
  }
  async function happen(agent: TestAgent): Promise<string> {
    const { id } = await service.etch(agent, { content: 'canary-words' });
    expect((await service.retract(agent, id)).status).toBe(200);
    return id;
  }
  async function send(): Promise<void> {
    await service.runTask('events');
    await service.runTask('webhooks');
  }
  /** Sends what is due once the clock is later by so many milliseconds. */
  async function sendAfter(later: number): Promise<void> {
    service.clock.advance(later);
    await send();
  }
  return { service, receiver, add, log, shown, hooked, happen, send, sendAfter };
}
