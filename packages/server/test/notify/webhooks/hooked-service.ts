import { afterAll, beforeEach, expect } from 'vitest';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { useService } from '../../../../../testing/service/service.ts';
import { ca, HOST, type Receiver, startReceiver } from './receiver.ts';

export const HOOK = `https://${HOST}/hook?from=svc`;

/** The timeout is the production one unless given, because a busy machine must not count as a failing receiver. */
export function useHookedService({ timeoutMs }: { timeoutMs?: number } = {}) {
  let receiver: Receiver;
  const service = useService(async () => {
    receiver = await startReceiver();
    return {
      settings: {
        DOMAIN_CHECK_TEST_HOSTS: `${HOST}=127.0.0.1:${receiver.port}`,
        TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '3',
      },
      domainCheck: { ca, ...(timeoutMs && { timeoutMs }) },
    };
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.received = [];
    receiver.answer = { status: 200 };
    service.clock.release();
  });

  const add = (agent: TestAgent, body: object = { url: HOOK }) =>
    service.post('/api/v1/me/webhooks', body, agent);
  const log = async (agent: TestAgent, id: string): Promise<any[]> =>
    (await service.get(`/api/v1/me/webhooks/${id}/deliveries`, agent)).body.deliveries;
  const shown = async (agent: TestAgent): Promise<any[]> =>
    (await service.get('/api/v1/me/webhooks', agent)).body.webhooks;

  async function happen(agent: TestAgent): Promise<string> {
    const { id } = await service.etch(agent, { content: 'canary-words' });
    expect((await service.retract(agent, id)).status).toBe(200);
    return id;
  }
  async function send(): Promise<void> {
    await service.runTask('events');
    await service.runTask('webhooks');
  }

  return {
    ...{ service, add, log, shown, happen, send },
    get receiver() {
      return receiver;
    },
  };
}
