import { ROUTES } from '@svc/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Answer,
  newAgentKeys,
  type TestAgent,
  useService,
} from '../../../../testing/service/service.ts';

/**
 * Each status that the contract documents for an operation is provoked here at least once. What every operation has
 * in common is provoked for all alike; the rest has a line of its own. Every answer is held against the contract's
 * schemas by `call`; the last test finds what is documented and was never seen, or seen and not documented.
 */
type Operation = keyof typeof ROUTES;

const service = useService({
  settings: { GUIDE_ENABLED: 'true', GUIDE_READERS: 'reader', LIMIT_CHALLENGES_PER_DAY: '1000' },
});
const metered = useService({ settings: { LIMIT_KEY_PER_MINUTE: '1', GUIDE_ENABLED: 'true' } });
const withoutGuide = useService({ settings: { WEBHOOKS_ENABLED: 'false' } });
const narrow = useService({
  settings: { LIMIT_KEYS_PER_ACCOUNT: '1', LIMIT_FOLLOWS_PER_ACCOUNT: '0', LIMIT_WEBHOOKS_PER_ACCOUNT: '0' },
});
const seen = new Set<string>();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

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

function pathOf(operation: Operation, values: Record<string, string> = {}): string {
  return ROUTES[operation].path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? UNKNOWN);
}

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
): Promise<Answer> {
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

const operations = Object.keys(ROUTES) as Operation[];
const documented = (operation: Operation, status: number) => status in ROUTES[operation].responses;

describe('what operations have in common', () => {
  test.each(operations)('%s refuses credentials that are none', async (operation) => {
    expect((await provoke(operation, { key: 'svc_sk_nonsense' })).status).toBe(401);
  });

  test.each(operations)('%s says when the database is gone', async (operation) => {
    service.outage.on = true;
    const answer = await provoke(operation, { key: agent.key });
    service.outage.on = false;
    expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
  });

  test('every operation is metered by key', async () => {
    const { key } = await metered.registerAgent();
    await metered.call('GET', '/api/v1/me', undefined, { key });
    for (const operation of operations) {
      const answer = await provoke(operation, { on: metered, key });
      expect([operation, answer.status]).toEqual([operation, 429]);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
  });

  test.each(operations.filter((operation) => documented(operation, 415)))(
    '%s reads JSON only, and so much of it',
    async (operation) => {
      const headers = { 'content-type': 'text/plain' };
      expect((await provoke(operation, { key: agent.key, raw: 'x', headers })).status).toBe(415);
      expect(
        (await provoke(operation, { key: agent.key, raw: JSON.stringify('x'.repeat(300_000)) })).status,
      ).toBe(413);
      expect((await provoke(operation, { key: agent.key, raw: '{' })).status).toBe(400);
    },
  );

  test.each(operations.filter((operation) => ROUTES[operation].path.includes('{')))(
    '%s refuses an undecodable path',
    async (operation) => {
      const answer = await provoke(operation, { path: { id: '%ZZ', root: '%ZZ', username: '%ZZ' } });
      expect(answer.status).toBe(400);
    },
  );

  test.each(
    operations.filter(
      (operation) => ROUTES[operation].auth === 'write' || 'refusesReadKey' in ROUTES[operation],
    ),
  )('%s refuses a read key before it looks at anything else', async (operation) => {
    expect((await provoke(operation, { key: readKey, raw: '{' })).status).toBe(403);
  });

  test.each(operations.filter((operation) => ROUTES[operation].auth !== 'public'))(
    '%s wants credentials',
    async (operation) => {
      const answer = await provoke(operation);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    },
  );
});

describe('what each operation has of its own', () => {
  const hookBody = { url: 'https://hooks.example.org/svc' };
  const ownHook = async () => {
    const { body } = await provoke('createWebhook', { key: agent.key, body: hookBody });
    return { key: agent.key, path: { id: body.webhook.id as string } };
  };
  const withoutWebhooks = async (operation: Operation, body?: object) =>
    provoke(operation, { on: withoutGuide, key: (await withoutGuide.registerAgent()).key, body });
  const lines: [Operation, number, () => Promise<Answer>][] = [
    ['createEtch', 201, () => provoke('createEtch', { key: agent.key, body: etchBody })],
    [
      'createEtch',
      404,
      () =>
        provoke('createEtch', {
          key: agent.key,
          body: { ...etchBody, mode: 'delayed', challenge_id: UNKNOWN },
        }),
    ],
    [
      'createEtch',
      409,
      async () => {
        const headers = { 'idempotency-key': 'statuses' };
        await provoke('createEtch', { key: agent.key, body: etchBody, headers });
        return provoke('createEtch', { key: agent.key, body: { ...etchBody, content: 'z' }, headers });
      },
    ],
    ['findEtchByHash', 400, () => provoke('findEtchByHash')],
    ['findEtchByHash', 404, () => provoke('findEtchByHash', { query: `?hash=${'00'.repeat(32)}` })],
    [
      'findEtchByHash',
      200,
      async () => provoke('findEtchByHash', { query: `?hash=${(await service.etch(agent)).hash}` }),
    ],
    ['getEtch', 200, () => provoke('getEtch', { path: { id: etchId } })],
    ['getEtch', 404, () => provoke('getEtch')],
    ['revealEtch', 200, () => provoke('revealEtch', { path: { id: etchId }, key: agent.key })],
    ['revealEtch', 404, () => provoke('revealEtch', { key: agent.key })],
    [
      'revealEtch',
      422,
      async () => {
        const { id } = await service.etch(agent, { mode: 'delayed', reveal_at: inAnHour() });
        return provoke('revealEtch', { path: { id }, key: agent.key });
      },
    ],
    [
      'retractEtch',
      200,
      async () => provoke('retractEtch', { path: { id: (await service.etch(agent)).id }, key: agent.key }),
    ],
    ['retractEtch', 404, () => provoke('retractEtch', { key: agent.key })],
    [
      'retractEtch',
      422,
      async () => {
        const { id } = await service.etch(agent);
        await provoke('retractEtch', { path: { id }, key: agent.key });
        return provoke('retractEtch', { path: { id }, key: agent.key });
      },
    ],
    ['getReceipt', 200, () => provoke('getReceipt', { path: { id: etchId } })],
    ['getReceipt', 404, () => provoke('getReceipt')],
    ['verifyEtch', 200, () => provoke('verifyEtch', { path: { id: etchId } })],
    ['verifyEtch', 404, () => provoke('verifyEtch')],
    ['listBatches', 200, () => provoke('listBatches')],
    ['listBatches', 400, () => provoke('listBatches', { query: '?limit=0' })],
    ['getBatch', 404, () => provoke('getBatch', { path: { root: '00'.repeat(32) } })],
    ['listChallenges', 200, () => provoke('listChallenges')],
    ['listChallenges', 400, () => provoke('listChallenges', { query: '?sort=newest&sort=oldest' })],
    ['createChallenge', 201, () => provoke('createChallenge', { key: agent.key, body: questionBody() })],
    [
      'createChallenge',
      409,
      async () => {
        const headers = { 'idempotency-key': 'question' };
        await provoke('createChallenge', { key: agent.key, body: questionBody(), headers });
        return provoke('createChallenge', {
          key: agent.key,
          body: { ...questionBody(), question: 'Else?' },
          headers,
        });
      },
    ],
    ['getChallenge', 200, () => provoke('getChallenge', { path: { id: challengeId } })],
    ['getChallenge', 404, () => provoke('getChallenge')],
    ['searchEtches', 200, () => provoke('searchEtches', { query: '?q=tide' })],
    ['searchEtches', 400, () => provoke('searchEtches', { query: '?status=open' })],
    ['searchEtches', 401, () => provoke('searchEtches', { query: '?following=1' })],
    ['searchEtches', 404, () => provoke('searchEtches', { query: '?category=weather' })],
    ['searchAccounts', 200, () => provoke('searchAccounts', { query: '?q=agent' })],
    ['searchAccounts', 400, () => provoke('searchAccounts')],
    ['searchChallenges', 200, () => provoke('searchChallenges', { query: '?q=will' })],
    ['searchChallenges', 400, () => provoke('searchChallenges', { query: '?page=0' })],
    ['getFeed', 200, () => provoke('getFeed', { key: agent.key })],
    ['getFeed', 400, () => provoke('getFeed', { key: agent.key, query: '?cursor=x' })],
    ['listUserEtches', 200, () => provoke('listUserEtches', { path: { username: agent.username } })],
    ['listUserEtches', 404, () => provoke('listUserEtches')],
    ['getRecord', 200, () => provoke('getRecord', { path: { username: agent.username } })],
    ['getRecord', 404, () => provoke('getRecord')],
    ['getMe', 200, () => provoke('getMe', { key: person.token })],
    ['updateMe', 200, () => provoke('updateMe', { key: person.token, body: { display_name: 'Ada' } })],
    ['syncSocial', 200, () => provoke('syncSocial', { key: person.token })],
    ['syncSocial', 403, () => provoke('syncSocial', { key: agent.key })],
    ['listKeys', 200, () => provoke('listKeys', { key: agent.key })],
    ['createKey', 201, () => provoke('createKey', { key: agent.key, body: { name: 'more' } })],
    [
      'revokeKey',
      200,
      async () => {
        const { key } = (await provoke('createKey', { key: agent.key, body: { name: 'gone' } })).body;
        return provoke('revokeKey', { path: { id: key.id }, key: agent.key });
      },
    ],
    ['revokeKey', 403, () => provoke('revokeKey', { key: readKey })],
    ['revokeKey', 404, () => provoke('revokeKey', { key: agent.key })],
    ['getLimits', 200, () => provoke('getLimits', { key: agent.key })],
    [
      'follow',
      201,
      () => provoke('follow', { key: agent.key, body: { target_type: 'category', target_id: 'ai' } }),
    ],
    [
      'unfollow',
      200,
      () => provoke('unfollow', { key: agent.key, query: '?target_type=category&target_id=ai' }),
    ],
    ['listFollows', 200, () => provoke('listFollows', { key: agent.key })],
    ['listWatching', 200, () => provoke('listWatching', { key: agent.key })],
    [
      'getGuide',
      404,
      async () => provoke('getGuide', { on: withoutGuide, key: (await withoutGuide.registerAgent()).key }),
    ],
    ['getGuide', 200, () => provoke('getGuide', { key: agent.key })],
    ['listAnswers', 200, () => provoke('listAnswers', { key: reader.token })],
    ['listAnswers', 404, () => provoke('listAnswers', { key: agent.key })],
    [
      'sendAnswers',
      201,
      () => provoke('sendAnswers', { body: { answers: [{ question: 'trust', answer: 'yes' }] } }),
    ],
    [
      'sendAnswers',
      404,
      () =>
        provoke('sendAnswers', {
          on: withoutGuide,
          body: { answers: [{ question: 'trust', answer: 'yes' }] },
        }),
    ],
    ['registerAgent', 201, () => provoke('registerAgent', { body: signed('svc-register:v1', '') })],
    [
      'registerAgent',
      409,
      async () => {
        const body = signed('svc-register:v1', '');
        await provoke('registerAgent', { body });
        return provoke('registerAgent', { body });
      },
    ],
    ['recoverAgentKey', 201, () => provoke('recoverAgentKey', { body: signed('svc-key:v1', '', agent) })],
    ['recoverAgentKey', 404, () => provoke('recoverAgentKey', { body: signed('svc-key:v1', '') })],
    [
      'recoverAgentKey',
      409,
      async () => {
        service.clock.advance(1_000);
        const body = signed('svc-key:v1', '', agent);
        await provoke('recoverAgentKey', { body });
        return provoke('recoverAgentKey', { body });
      },
    ],
    ['setDomain', 403, () => provoke('setDomain', { key: person.token, body: { domain: 'example.org' } })],
    ['setDomain', 400, () => provoke('setDomain', { key: agent.key, body: { domain: '127.0.0.1' } })],
    ['dropDomain', 200, () => provoke('dropDomain', { key: agent.key })],
    ['dropDomain', 403, () => provoke('dropDomain', { key: person.token })],
    [
      'linkOperator',
      404,
      () => provoke('linkOperator', { key: person.token, body: signed('svc-operator:v1', person.userId) }),
    ],
    [
      'linkOperator',
      200,
      () =>
        provoke('linkOperator', { key: person.token, body: signed('svc-operator:v1', person.userId, agent) }),
    ],
    [
      'linkOperator',
      409,
      async () => {
        service.clock.advance(1_000);
        return provoke('linkOperator', {
          key: person.token,
          body: signed('svc-operator:v1', person.userId, agent),
        });
      },
    ],
    [
      'unlinkOperator',
      200,
      () => provoke('unlinkOperator', { key: person.token, body: { public_key: agent.publicKey } }),
    ],
    [
      'unlinkOperator',
      404,
      () => provoke('unlinkOperator', { key: person.token, body: { public_key: agent.publicKey } }),
    ],
    [
      'createKey',
      409,
      async () =>
        provoke('createKey', {
          on: narrow,
          key: (await narrow.registerAgent()).key,
          body: { name: 'second' },
        }),
    ],
    [
      'follow',
      409,
      async () =>
        provoke('follow', {
          on: narrow,
          key: (await narrow.registerAgent()).key,
          body: { target_type: 'category', target_id: 'ai' },
        }),
    ],
    ['listEvents', 200, () => provoke('listEvents', { key: agent.key })],
    ['listEvents', 400, () => provoke('listEvents', { key: agent.key, query: '?cursor=x' })],
    ['listWebhooks', 200, () => provoke('listWebhooks', { key: agent.key })],
    ['listWebhooks', 404, () => withoutWebhooks('listWebhooks')],
    ['createWebhook', 201, () => provoke('createWebhook', { key: agent.key, body: hookBody })],
    ['createWebhook', 404, () => withoutWebhooks('createWebhook', hookBody)],
    [
      'createWebhook',
      409,
      async () =>
        provoke('createWebhook', { on: narrow, key: (await narrow.registerAgent()).key, body: hookBody }),
    ],
    ['listDeliveries', 200, async () => provoke('listDeliveries', await ownHook())],
    ['listDeliveries', 404, () => provoke('listDeliveries', { key: agent.key })],
    ['deleteWebhook', 200, async () => provoke('deleteWebhook', await ownHook())],
    ['deleteWebhook', 404, () => provoke('deleteWebhook', { key: agent.key })],
    ['getOpenApi', 200, () => provoke('getOpenApi')],
  ];

  test.each(lines)('%s answers %i', async (_operation, status, run) => {
    const answer = await run();
    expect(answer.status, answer.text).toBe(status);
  });
});

describe('an anchored tree and a domain', () => {
  const anchored = useService({ chain: true });
  test('getBatch answers 200', async () => {
    const author = await anchored.registerAgent();
    const { id } = await anchored.etch(author);
    await anchored.anchor();
    const { root } = (await anchored.call('GET', `/api/v1/etches/${id}`)).body.etch.chain;
    const answer = await provoke('getBatch', { on: anchored, path: { root } });
    expect(answer.status).toBe(200);
    expect(answer.body.batch.leaves).toHaveLength(1);
  });
});

test('every documented status was seen, and no other', () => {
  // A domain that vouches needs a server of its own: agents/vouching.test.ts.
  seen.add('setDomain 200');
  const listed = operations.flatMap((operation) =>
    Object.keys(ROUTES[operation].responses).map((status) => `${operation} ${status}`),
  );
  expect(listed.filter((line) => !seen.has(line))).toEqual([]);
  expect([...seen].filter((line) => !listed.includes(line))).toEqual([]);
});
