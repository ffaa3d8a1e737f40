import { ROUTES } from '@svc/contract';
import { afterAll, beforeAll } from 'vitest';
import { type AgentKeys, signedBody } from '../../../../testing/clients/agent-keys.ts';
import type { Reply } from '../../../../testing/clients/client.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import type { TestPerson } from '../../../../testing/service/acts.ts';
import { folderWith } from '../../../../testing/machine/folder.ts';
import { useService } from '../../../../testing/service/service.ts';

export type Operation = keyof typeof ROUTES;
export const UNKNOWN = '00000000-0000-4000-8000-000000000000';

export interface Sent {
  on?: ReturnType<typeof useService>;
  path?: Record<string, string>;
  query?: string;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  raw?: string;
}

export type Provoking = ReturnType<typeof useProvoking>;

export function useProvoking() {
  const settings = { GUIDE_ENABLED: 'true', GUIDE_READERS: 'reader', LIMIT_CHALLENGES_PER_DAY: '1000' };
  const service = useService({ settings: { ...settings, TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: '100' } });
  const metered = useService({ settings: { LIMIT_KEY_PER_MINUTE: '1', GUIDE_ENABLED: 'true' } });
  const withoutGuide = useService({ settings: { DATA_DIR: folderWith('webhooks-off') } });
  const limits = ['KEYS_PER_ACCOUNT=1', 'FOLLOWS_PER_ACCOUNT=0', 'WEBHOOKS_PER_ACCOUNT=0', 'SCORE_ETCHES=0'];
  const narrow = useService({
    settings: Object.fromEntries(limits.map((limit) => `TEST_LIMIT_${limit}`.split('='))),
  });
  const seen = new Set<string>();
  const etchBody = { content: 'x', description: 'y', category_id: 'ai', mode: 'instant' };
  const inAnHour = () => service.at(3_600_000);
  const questionBody = () => ({ question: 'Will it?', category_id: 'ai', reveal_at: inAnHour() });
  const known = {} as {
    agent: TestAgent;
    readKey: string;
    person: TestPerson;
    reader: TestPerson;
    etchId: string;
    challengeId: string;
  };

  beforeAll(async () => {
    const agent = await service.registerAgent();
    const post = async (path: string, body: object) =>
      (await service.post(`/api/v1/${path}`, body, agent)).body;
    Object.assign(known, {
      agent,
      readKey: (await post('me/keys', { name: 'read' })).api_key,
      person: await service.signIn('ada', { social_handle: 'ada' }),
      reader: await service.signIn('reader'),
      etchId: (await service.etch(agent)).id,
      challengeId: (await post('challenges', questionBody())).challenge.id,
    });
  });
  afterAll(() => {
    service.outage.on = false;
  });

  async function provoke(operation: Operation, sent: Sent = {}): Promise<Reply> {
    const { on = service, path = {}, query = '', body, ...rest } = sent;
    const { method, path: named } = ROUTES[operation];
    const url = named.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? UNKNOWN);
    const answer = await on.call(method, url + query, body, rest);
    seen.add(`${operation} ${answer.status}`);
    return answer;
  }

  const signed = (tag: string, keys?: AgentKeys, subject?: string) =>
    signedBody(tag, service.at(0), keys, subject);

  return {
    service,
    metered,
    withoutGuide,
    narrow,
    seen,
    known,
    etchBody,
    inAnHour,
    questionBody,
    provoke,
    signed,
  };
}
