import { QUICKNET } from '@svc/protocol/timelock';
import { type Provoking, type StatusLine, UNKNOWN } from './provoking.ts';

export function etchStatusLines(given: Provoking): StatusLine[] {
  const { provoke, service, etchBody, questionBody, inAnHour } = given;
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
    [
      'getOpening',
      200,
      async () => {
        const { id } = await service.etch(given.agent, { mode: 'delayed', reveal_at: inAnHour() });
        return provoke('getOpening', { path: { id }, key: given.agent.key });
      },
    ],
    ['getOpening', 404, () => provoke('getOpening', { key: given.agent.key })],
    ['getOpening', 422, () => provoke('getOpening', { path: { id: given.etchId }, key: given.agent.key })],
    ['getBeacon', 404, () => provoke('getBeacon')],
    ['getBeacon', 422, () => provoke('getBeacon', { path: { chain: QUICKNET.hash, round: '9999999999' } })],
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
  ];
}
