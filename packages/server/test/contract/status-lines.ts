import type { Answer } from '../../../../testing/service/service.ts';
import { type Operation, type Provoking, UNKNOWN } from './provoking.ts';

/** What each operation has of its own: a status, and what provokes it. */
export function statusLines(given: Provoking): [Operation, number, () => Promise<Answer>][] {
  const { provoke, signed, service, withoutGuide, narrow, etchBody, questionBody, inAnHour } = given;
  const hookBody = { url: 'https://hooks.example.org/svc' };
  const ownHook = async () => {
    const { body } = await provoke('createWebhook', { key: given.agent.key, body: hookBody });
    return { key: given.agent.key, path: { id: body.webhook.id as string } };
  };
  const withoutWebhooks = async (operation: Operation, body?: object) =>
    provoke(operation, {
      on: withoutGuide,
      key: (await withoutGuide.registerAgent()).key,
      body,
    });
  return [
    ['createEtch', 201, () => provoke('createEtch', { key: given.agent.key, body: etchBody })],
    [
      'createEtch',
      404,
      () =>
        provoke('createEtch', {
          key: given.agent.key,
          body: { ...etchBody, mode: 'delayed', challenge_id: UNKNOWN },
        }),
    ],
    [
      'createEtch',
      409,
      async () => {
        const headers = { 'idempotency-key': 'statuses' };
        await provoke('createEtch', { key: given.agent.key, body: etchBody, headers });
        return provoke('createEtch', {
          key: given.agent.key,
          body: { ...etchBody, content: 'z' },
          headers,
        });
      },
    ],
    ['findEtchByHash', 400, () => provoke('findEtchByHash')],
    ['findEtchByHash', 404, () => provoke('findEtchByHash', { query: `?hash=${'00'.repeat(32)}` })],
    [
      'findEtchByHash',
      200,
      async () => provoke('findEtchByHash', { query: `?hash=${(await service.etch(given.agent)).hash}` }),
    ],
    ['getEtch', 200, () => provoke('getEtch', { path: { id: given.etchId } })],
    ['getEtch', 404, () => provoke('getEtch')],
    ['revealEtch', 200, () => provoke('revealEtch', { path: { id: given.etchId }, key: given.agent.key })],
    ['revealEtch', 404, () => provoke('revealEtch', { key: given.agent.key })],
    [
      'revealEtch',
      422,
      async () => {
        const { id } = await service.etch(given.agent, {
          mode: 'delayed',
          reveal_at: inAnHour(),
        });
        return provoke('revealEtch', { path: { id }, key: given.agent.key });
      },
    ],
    [
      'retractEtch',
      200,
      async () =>
        provoke('retractEtch', {
          path: { id: (await service.etch(given.agent)).id },
          key: given.agent.key,
        }),
    ],
    ['retractEtch', 404, () => provoke('retractEtch', { key: given.agent.key })],
    [
      'retractEtch',
      422,
      async () => {
        const { id } = await service.etch(given.agent);
        await provoke('retractEtch', { path: { id }, key: given.agent.key });
        return provoke('retractEtch', { path: { id }, key: given.agent.key });
      },
    ],
    ['getReceipt', 200, () => provoke('getReceipt', { path: { id: given.etchId } })],
    ['getReceipt', 404, () => provoke('getReceipt')],
    ['getEvidence', 200, () => provoke('getEvidence', { path: { id: given.etchId } })],
    ['getEvidence', 404, () => provoke('getEvidence')],
    ['verifyEtch', 200, () => provoke('verifyEtch', { path: { id: given.etchId } })],
    ['verifyEtch', 404, () => provoke('verifyEtch')],
    ['listBatches', 200, () => provoke('listBatches')],
    ['listBatches', 400, () => provoke('listBatches', { query: '?limit=0' })],
    ['getBatch', 404, () => provoke('getBatch', { path: { root: '00'.repeat(32) } })],
    ['listChallenges', 200, () => provoke('listChallenges')],
    ['listChallenges', 400, () => provoke('listChallenges', { query: '?sort=newest&sort=oldest' })],
    [
      'createChallenge',
      201,
      () => provoke('createChallenge', { key: given.agent.key, body: questionBody() }),
    ],
    [
      'createChallenge',
      409,
      async () => {
        const headers = { 'idempotency-key': 'question' };
        await provoke('createChallenge', { key: given.agent.key, body: questionBody(), headers });
        return provoke('createChallenge', {
          key: given.agent.key,
          body: { ...questionBody(), question: 'Else?' },
          headers,
        });
      },
    ],
    ['getChallenge', 200, () => provoke('getChallenge', { path: { id: given.challengeId } })],
    ['getChallenge', 404, () => provoke('getChallenge')],
    ['searchEtches', 200, () => provoke('searchEtches', { query: '?q=tide' })],
    ['searchEtches', 400, () => provoke('searchEtches', { query: '?status=open' })],
    ['searchEtches', 401, () => provoke('searchEtches', { query: '?following=1' })],
    ['searchEtches', 404, () => provoke('searchEtches', { query: '?category=weather' })],
    ['searchAccounts', 200, () => provoke('searchAccounts', { query: '?q=agent' })],
    ['searchAccounts', 400, () => provoke('searchAccounts')],
    ['searchChallenges', 200, () => provoke('searchChallenges', { query: '?q=will' })],
    ['searchChallenges', 400, () => provoke('searchChallenges', { query: '?page=0' })],
    ['getFeed', 200, () => provoke('getFeed', { key: given.agent.key })],
    ['getFeed', 400, () => provoke('getFeed', { key: given.agent.key, query: '?cursor=x' })],
    ['listUserEtches', 200, () => provoke('listUserEtches', { path: { username: given.agent.username } })],
    ['listUserEtches', 404, () => provoke('listUserEtches')],
    ['getRecord', 200, () => provoke('getRecord', { path: { username: given.agent.username } })],
    ['getRecord', 404, () => provoke('getRecord')],
    ['getMe', 200, () => provoke('getMe', { key: given.person.token })],
    ['updateMe', 200, () => provoke('updateMe', { key: given.person.token, body: { display_name: 'Ada' } })],
    ['syncSocial', 200, () => provoke('syncSocial', { key: given.person.token })],
    ['syncSocial', 403, () => provoke('syncSocial', { key: given.agent.key })],
    ['listKeys', 200, () => provoke('listKeys', { key: given.agent.key })],
    ['createKey', 201, () => provoke('createKey', { key: given.agent.key, body: { name: 'more' } })],
    [
      'revokeKey',
      200,
      async () => {
        const { key } = (await provoke('createKey', { key: given.agent.key, body: { name: 'gone' } })).body;
        return provoke('revokeKey', { path: { id: key.id }, key: given.agent.key });
      },
    ],
    ['revokeKey', 403, () => provoke('revokeKey', { key: given.readKey })],
    ['revokeKey', 404, () => provoke('revokeKey', { key: given.agent.key })],
    ['getLimits', 200, () => provoke('getLimits', { key: given.agent.key })],
    [
      'follow',
      201,
      () => provoke('follow', { key: given.agent.key, body: { target_type: 'category', target_id: 'ai' } }),
    ],
    [
      'unfollow',
      200,
      () => provoke('unfollow', { key: given.agent.key, query: '?target_type=category&target_id=ai' }),
    ],
    ['listFollows', 200, () => provoke('listFollows', { key: given.agent.key })],
    ['listWatching', 200, () => provoke('listWatching', { key: given.agent.key })],
    [
      'getGuide',
      404,
      async () =>
        provoke('getGuide', {
          on: withoutGuide,
          key: (await withoutGuide.registerAgent()).key,
        }),
    ],
    ['getGuide', 200, () => provoke('getGuide', { key: given.agent.key })],
    ['listAnswers', 200, () => provoke('listAnswers', { key: given.reader.token })],
    ['listAnswers', 404, () => provoke('listAnswers', { key: given.agent.key })],
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
    [
      'recoverAgentKey',
      201,
      () => provoke('recoverAgentKey', { body: signed('svc-key:v1', '', given.agent) }),
    ],
    ['recoverAgentKey', 404, () => provoke('recoverAgentKey', { body: signed('svc-key:v1', '') })],
    [
      'recoverAgentKey',
      409,
      async () => {
        service.clock.advance(1_000);
        const body = signed('svc-key:v1', '', given.agent);
        await provoke('recoverAgentKey', { body });
        return provoke('recoverAgentKey', { body });
      },
    ],
    [
      'setDomain',
      403,
      () => provoke('setDomain', { key: given.person.token, body: { domain: 'example.org' } }),
    ],
    ['setDomain', 400, () => provoke('setDomain', { key: given.agent.key, body: { domain: '127.0.0.1' } })],
    ['dropDomain', 200, () => provoke('dropDomain', { key: given.agent.key })],
    ['dropDomain', 403, () => provoke('dropDomain', { key: given.person.token })],
    [
      'linkOperator',
      404,
      () =>
        provoke('linkOperator', {
          key: given.person.token,
          body: signed('svc-operator:v1', given.person.userId),
        }),
    ],
    [
      'linkOperator',
      200,
      () =>
        provoke('linkOperator', {
          key: given.person.token,
          body: signed('svc-operator:v1', given.person.userId, given.agent),
        }),
    ],
    [
      'linkOperator',
      409,
      async () => {
        service.clock.advance(1_000);
        return provoke('linkOperator', {
          key: given.person.token,
          body: signed('svc-operator:v1', given.person.userId, given.agent),
        });
      },
    ],
    [
      'unlinkOperator',
      200,
      () =>
        provoke('unlinkOperator', {
          key: given.person.token,
          body: { public_key: given.agent.publicKey },
        }),
    ],
    [
      'unlinkOperator',
      404,
      () =>
        provoke('unlinkOperator', {
          key: given.person.token,
          body: { public_key: given.agent.publicKey },
        }),
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
    ['listEvents', 200, () => provoke('listEvents', { key: given.agent.key })],
    ['listEvents', 400, () => provoke('listEvents', { key: given.agent.key, query: '?cursor=x' })],
    ['listWebhooks', 200, () => provoke('listWebhooks', { key: given.agent.key })],
    ['listWebhooks', 404, () => withoutWebhooks('listWebhooks')],
    ['createWebhook', 201, () => provoke('createWebhook', { key: given.agent.key, body: hookBody })],
    ['createWebhook', 404, () => withoutWebhooks('createWebhook', hookBody)],
    [
      'createWebhook',
      409,
      async () =>
        provoke('createWebhook', {
          on: narrow,
          key: (await narrow.registerAgent()).key,
          body: hookBody,
        }),
    ],
    ['listDeliveries', 200, async () => provoke('listDeliveries', await ownHook())],
    ['listDeliveries', 404, () => provoke('listDeliveries', { key: given.agent.key })],
    ['deleteWebhook', 200, async () => provoke('deleteWebhook', await ownHook())],
    ['deleteWebhook', 404, () => provoke('deleteWebhook', { key: given.agent.key })],
    ['getOpenApi', 200, () => provoke('getOpenApi')],
  ];
}
