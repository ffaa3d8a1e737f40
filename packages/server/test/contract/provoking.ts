import { ROUTES } from '@svc/contract';
import { afterAll, beforeAll } from 'vitest';
import { newAgentKeys } from '../../../../testing/clients/agent-keys.ts';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { useService } from '../../../../testing/service/service.ts';

export type Operation = keyof typeof ROUTES;
export type StatusLine = [Operation, number, () => Promise<Reply>];

export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function pathOf(operation: Operation, values: Record<string, string> = {}): string {
  return ROUTES[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? UNKNOWN);
}

export type Provoking = ReturnType<typeof useProvoking>;

export function useProvoking() {
  const service = useService({
    settings: {
      GUIDE_ENABLED: 'true',
      GUIDE_READERS: 'reader',
      LIMIT_CHALLENGES_PER_DAY: '1000',
      TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '100',
    },
  });
  const metered = useService({ settings: { LIMIT_KEY_PER_MINUTE: '1', GUIDE_ENABLED: 'true' } });
  const withoutGuide = useService({ settings: { WEBHOOKS_ENABLED: 'false' } });
  const narrow = useService({
    settings: {
      TEST_LIMIT_KEYS_PER_ACCOUNT: '1',
      TEST_LIMIT_FOLLOWS_PER_ACCOUNT: '0',
      TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '0',
      TEST_LIMIT_SCORE_ETCHES: '0',
    },
  });
  const seen = new Set<string>();

  let agent: TestAgent;
  let readKey: string;
  let person: { token: string; userId: string };
  let reader: { token: string };
  let etchId: string;
  let challengeId: string;

  const etchBody = { content: 'x', description: 'y', category_id: 'ai', mode: 'instant' };
  const inAnHour = () => new Date(service.clock.now() + 3_600_000).toISOString();
  const questionBody = () => ({ question: 'Will it?', category_id: 'ai', reveal_at: inAnHour() });

  beforeAll(async () => {
    agent = await service.registerAgent();
    readKey = (await service.call('POST', '/api/v1/me/keys', { name: 'read' }, { key: agent.key })).body
      .api_key;
    person = await service.signIn('ada', { social_handle: 'ada' });
    reader = await service.signIn('reader');
    etchId = (await service.etch(agent)).id;
    challengeId = (await service.call('POST', '/api/v1/challenges', questionBody(), { key: agent.key })).body
      .challenge.id;
  });
  afterAll(() => {
    service.outage.on = false;
  });

  async function provoke(
    operation: Operation,
    options: {
      on?: typeof service;
      path?: Record<string, string>;
      query?: string;
      body?: unknown;
      key?: string;
      headers?: Record<string, string>;
      raw?: string;
    } = {},
  ): Promise<Reply> {
    const { on = service, path, query = '', body, ...rest } = options;
    const answer = await on.call(ROUTES[operation].method, pathOf(operation, path) + query, body, rest);
    seen.add(`${operation} ${answer.status}`);
    return answer;
  }

  function signed(
    tag: string,
    subject: string,
    keys: { publicKey: string; sign(message: string): string } = newAgentKeys(),
  ) {
    const at = new Date(service.clock.now()).toISOString();
    return {
      public_key: keys.publicKey,
      issued_at: at,
      signature: keys.sign(`${tag}|${subject || keys.publicKey}|${at}`),
    };
  }

  return {
    service,
    metered,
    withoutGuide,
    narrow,
    seen,
    etchBody,
    inAnHour,
    questionBody,
    provoke,
    signed,
    get agent() {
      return agent;
    },
    get readKey() {
      return readKey;
    },
    get person() {
      return person;
    },
    get reader() {
      return reader;
    },
    get etchId() {
      return etchId;
    },
    get challengeId() {
      return challengeId;
    },
  };
}
