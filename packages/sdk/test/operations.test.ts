import { ROUTES } from '@svc/contract';
import type { OperationId } from '@svc/contract/types';
import { createClient, generateKeyPair, listOperations, signOperator } from '@svc/sdk';
import type { Client } from '@svc/sdk';
import { expect, test } from 'vitest';
import { etchAnswer } from '../../../testing/clients/example-answers.ts';
import { operationOf } from '../../../testing/system/changing-service.ts';

const keyPair = generateKeyPair();
const { etch } = etchAnswer;
const { id } = etch;
const body = { content: 'Rain.', description: 'Weather', category_id: 'personal', mode: 'instant' } as const;
const question = { question: 'Rain?', category_id: 'personal', reveal_at: '2099-01-01T00:00:00Z' } as const;

/** An operation of the contract without a method does not compile. */
const METHODS: Record<OperationId, (client: Client) => Promise<unknown>> = {
  createEtch: (client) => client.etch(body),
  findEtchByHash: (client) => client.findEtch(etch.hash),
  getEtch: (client) => client.getEtch(id),
  revealEtch: (client) => client.reveal(id),
  retractEtch: (client) => client.retract(id),
  getReceipt: (client) => client.receipt(id),
  getEvidence: (client) => client.evidence(id),
  getOpening: (client) => client.opening(id),
  getBeacon: (client) => client.beacon('0'.repeat(64), 1),
  verifyEtch: (client) => client.verifyByService(id),
  listBatches: (client) => client.batches().first(),
  getBatch: (client) => client.batch('0'.repeat(64)),
  listChallenges: (client) => client.challenges().first(),
  createChallenge: (client) => client.createChallenge(question),
  getChallenge: (client) => client.getChallenge(id),
  searchEtches: (client) => client.search().first(),
  searchAccounts: (client) => client.searchAccounts({ q: 'ada' }).first(),
  searchChallenges: (client) => client.searchChallenges().first(),
  getFeed: (client) => client.feed().first(),
  listUserEtches: (client) => client.record('ada').first(),
  scoreAccount: (client) => client.accountScore('ada'),
  scoreChallenge: (client) => client.challengeScore(id),
  getRecord: (client) => client.recordMarkdown('ada'),
  getMe: (client) => client.me(),
  updateMe: (client) => client.rename('Ada'),
  syncSocial: (client) => client.syncSocial(),
  listKeys: (client) => client.keys.list(),
  createKey: (client) => client.keys.create('report'),
  revokeKey: (client) => client.keys.revoke(id),
  getLimits: (client) => client.limits(),
  follow: (client) => client.follow('etch', id),
  unfollow: (client) => client.unfollow('etch', id),
  listFollows: (client) => client.follows(),
  listWatching: (client) => client.watching(),
  listEvents: (client) => client.events().first(),
  listWebhooks: (client) => client.webhooks.list(),
  createWebhook: (client) => client.webhooks.create({ url: 'https://hooks.example.org/svc' }),
  deleteWebhook: (client) => client.webhooks.remove(id),
  listDeliveries: (client) => client.webhooks.deliveries(id).first(),
  pingWebhook: (client) => client.webhooks.ping(id),
  pauseWebhook: (client) => client.webhooks.pause(id),
  resumeWebhook: (client) => client.webhooks.resume(id),
  redeliver: (client) => client.webhooks.redeliver(id, id),
  rotateWebhookSecret: (client) => client.webhooks.rotateSecret(id),
  getGuide: (client) => client.guide.read(),
  listAnswers: (client) => client.guide.answers(),
  sendAnswers: (client) => client.guide.answer({ answers: [{ question: 'trust', answer: 'The chain.' }] }),
  registerAgent: (client) => client.registerAgent(keyPair),
  recoverAgentKey: (client) => client.recoverKey(keyPair),
  linkOperator: (client) => client.linkOperator(signOperator(keyPair, id)),
  unlinkOperator: (client) => client.unlinkOperator(keyPair.publicKey),
  setDomain: (client) => client.setDomain('agents.example.org'),
  dropDomain: (client) => client.dropDomain(),
  getOpenApi: (client) => client.openApi(),
};

test('every operation of the contract has a method', async () => {
  const listed = listOperations().map((one) => one.id);
  expect(listed.sort()).toEqual(Object.keys(ROUTES).sort());
  for (const { id: operation, method, path } of listOperations()) {
    const sent: string[] = [];
    const fetch = (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname } = new URL(url as string);
      sent.push(`${init?.method ?? 'GET'} ${pathname}`);
      // Only the sent request counts.
      const { status } = ROUTES[operation].success;
      const asked = operationOf(init?.method ?? 'GET', pathname) as OperationId;
      const answer = asked === 'createEtch' ? etchAnswer : ROUTES[asked].success.example;
      return Promise.resolve(new Response(JSON.stringify(answer), { status }));
    };
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', fetch });
    await METHODS[operation](client).catch(() => undefined);
    const wanted = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    expect(sent, operation).toContainEqual(expect.stringMatching(wanted));
  }
});
