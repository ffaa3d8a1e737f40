import { type Provoking, type StatusLine } from './provoking.ts';

export function accountStatusLines(given: Provoking): StatusLine[] {
  const { provoke, signed, service, withoutGuide, narrow } = given;
  return [
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
  ];
}
