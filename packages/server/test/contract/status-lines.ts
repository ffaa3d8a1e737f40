import { QUICKNET } from '@svc/protocol/timelock';
import type { AgentKeys } from '../../../../testing/clients/agent-keys.ts';
import { type Operation, type Provoking, type Sent, UNKNOWN } from './provoking.ts';

export type StatusLine = [Operation, number, (() => Sent | Promise<Sent>)?];

/** The order matters. */
export function statusLines(given: Provoking): StatusLine[] {
  const { provoke, signed, service, withoutGuide, narrow, known, etchBody, questionBody, inAnHour } = given;
  const asAgent = (body?: unknown, more: Sent = {}): Sent => ({ key: known.agent.key, body, ...more });
  const asPerson = (body?: unknown): Sent => ({ key: known.person.token, body });
  const byAgent = (id = known.etchId) => asAgent(undefined, { path: { id } });
  const user = () => ({ path: { username: known.agent.username } });
  const sealed = { mode: 'delayed', challenge_id: UNKNOWN };
  const etch = async (fields?: Record<string, unknown>) =>
    (await service.etch(known.agent, fields)).id as string;
  const seal = () => etch({ mode: 'delayed', reveal_at: inAnHour() });
  const newcomer = async (on: typeof service, body?: unknown): Promise<Sent> => ({
    on,
    key: (await on.registerAgent()).key,
    body,
  });
  /** Sends a request whose repetition conflicts. */
  const twice = async (operation: Operation, sent: Sent, again = sent): Promise<Sent> => {
    await provoke(operation, sent);
    return again;
  };
  const keyed = (body: unknown) => asAgent(body, { headers: { 'idempotency-key': 'statuses' } });
  const answers = { body: { answers: [{ question: 'trust', answer: 'yes' }] } };
  const topic = { target_type: 'category', target_id: 'ai' };
  const operator = (by?: AgentKeys) => asPerson(signed('svc-operator:v1', by, known.person.userId));
  const unlink = () => asPerson({ public_key: known.agent.publicKey });
  const hookBody = { url: 'https://hooks.example.org/svc' };
  const ownHook = async () => {
    const { body } = await provoke('createWebhook', asAgent(hookBody));
    return byAgent(body.webhook.id);
  };
  const logged = (hook: Sent, id: string): Sent => ({ ...hook, path: { ...hook.path!, event_id: id } });
  const ownKey = async () =>
    byAgent((await provoke('createKey', asAgent({ name: 'gone' }))).body.key.id as string);
  const recovery = () => ({ body: signed('svc-key:v1', known.agent) });
  const manyForecasts = async () => {
    const { key, username } = await narrow.registerAgent();
    await narrow.etch({ key }, { content: 'svc-forecast:v1 yes=0.7' });
    return { on: narrow, path: { username } };
  };
  const manyEntries = async () => {
    const agent = await narrow.registerAgent();
    const { id } = await narrow.ask(agent, { question: 'Will it? [yes|no]' });
    await narrow.etch(agent, { mode: 'delayed', challenge_id: id });
    return { on: narrow, path: { id } };
  };
  const delivered = async () => {
    const hook = await ownHook();
    await provoke('retractEtch', byAgent(await etch()));
    await service.runTask('events');
    return logged(hook, (await provoke('listDeliveries', hook)).body.deliveries[0].event_id);
  };
  const pinged = async () => {
    const hook = await ownHook();
    return logged(hook, (await provoke('pingWebhook', hook)).body.delivery.event_id);
  };
  const rotated = async () => {
    const hook = await ownHook();
    for (let count = 0; count < 4; count++) await provoke('rotateWebhookSecret', hook);
    return hook;
  };

  const each = (status: number, names: string, sent?: StatusLine[2]) =>
    names.split(/\s+/).map((name): StatusLine => [name as Operation, status, sent ?? (() => ({}))]);

  return [
    ...each(
      404,
      `getEtch getReceipt getEvidence getBeacon verifyEtch getChallenge
      listUserEtches getRecord scoreAccount scoreChallenge`,
    ),
    ...each(
      404,
      `revealEtch retractEtch getOpening revokeKey listAnswers listDeliveries
      pingWebhook pauseWebhook resumeWebhook rotateWebhookSecret deleteWebhook`,
      () => asAgent(),
    ),
    ...each(200, 'getFeed listKeys getLimits listFollows listWatching getGuide listEvents listWebhooks', () =>
      asAgent(),
    ),
    ...each(200, 'getEtch getReceipt getEvidence verifyEtch', () => ({ path: { id: known.etchId } })),
    ...each(200, 'getChallenge scoreChallenge', () => ({ path: { id: known.challengeId } })),
    ...each(200, 'listUserEtches getRecord scoreAccount', user),
    ...each(
      200,
      'listDeliveries pingWebhook pauseWebhook resumeWebhook rotateWebhookSecret deleteWebhook',
      ownHook,
    ),
    ['createEtch', 201, () => asAgent(etchBody)],
    ['createEtch', 404, () => asAgent({ ...etchBody, ...sealed })],
    ['createEtch', 409, () => twice('createEtch', keyed(etchBody), keyed({ ...etchBody, content: 'z' }))],
    ['findEtchByHash', 400],
    ['findEtchByHash', 404, () => ({ query: `?hash=${'00'.repeat(32)}` })],
    ['findEtchByHash', 200, async () => ({ query: `?hash=${(await service.etch(known.agent)).hash}` })],
    ['revealEtch', 200, () => byAgent()],
    ['revealEtch', 422, async () => byAgent(await seal())],
    ['retractEtch', 200, async () => byAgent(await etch())],
    ['retractEtch', 422, async () => twice('retractEtch', byAgent(await etch()))],
    ['getOpening', 200, async () => byAgent(await seal())],
    ['getOpening', 422, () => byAgent()],
    ['getBeacon', 422, () => ({ path: { chain: QUICKNET.hash, round: '9999999999' } })],
    ['listBatches', 200],
    ['listBatches', 400, () => ({ query: '?limit=0' })],
    ['getBatch', 404, () => ({ path: { root: '00'.repeat(32) } })],
    ['listChallenges', 200],
    ['listChallenges', 400, () => ({ query: '?sort=newest&sort=oldest' })],
    ['createChallenge', 201, () => asAgent(questionBody())],
    ['createChallenge', 409, () => keyed(questionBody())],
    ['searchEtches', 200, () => ({ query: '?q=tide' })],
    ['searchEtches', 400, () => ({ query: '?status=open' })],
    ['searchEtches', 401, () => ({ query: '?following=1' })],
    ['searchEtches', 404, () => ({ query: '?category=weather' })],
    ['searchAccounts', 200, () => ({ query: '?q=agent' })],
    ['searchAccounts', 400],
    ['searchChallenges', 200, () => ({ query: '?q=will' })],
    ['searchChallenges', 400, () => ({ query: '?page=0' })],
    ['getFeed', 400, () => asAgent(undefined, { query: '?cursor=x' })],

    ['getMe', 200, () => asPerson()],
    ['updateMe', 200, () => asPerson({ display_name: 'Ada' })],
    ['syncSocial', 200, () => asPerson()],
    ['syncSocial', 403, () => asAgent()],
    ['createKey', 201, () => asAgent({ name: 'more' })],
    ['revokeKey', 200, ownKey],
    ['revokeKey', 403, () => ({ key: known.readKey })],
    ['follow', 201, () => asAgent(topic)],
    ['unfollow', 200, () => asAgent(undefined, { query: '?target_type=category&target_id=ai' })],
    ['getGuide', 404, () => newcomer(withoutGuide)],
    ['listAnswers', 200, () => ({ key: known.reader.token })],
    ['sendAnswers', 201, () => answers],
    ['sendAnswers', 404, () => ({ on: withoutGuide, ...answers })],
    ['registerAgent', 201, () => ({ body: signed('svc-register:v1') })],
    ['registerAgent', 409, () => twice('registerAgent', { body: signed('svc-register:v1') })],
    ['recoverAgentKey', 201, recovery],
    ['recoverAgentKey', 404, () => ({ body: signed('svc-key:v1') })],
    ['recoverAgentKey', 409, () => (service.clock.advance(1_000), twice('recoverAgentKey', recovery()))],
    ['setDomain', 403, () => asPerson({ domain: 'example.org' })],
    ['setDomain', 400, () => asAgent({ domain: '127.0.0.1' })],
    ['dropDomain', 200, () => asAgent()],
    ['dropDomain', 403, () => asPerson()],
    ['linkOperator', 404, () => operator()],
    ['linkOperator', 200, () => operator(known.agent)],
    ['linkOperator', 409, () => (service.clock.advance(1_000), operator(known.agent))],
    ['unlinkOperator', 200, unlink],
    ['unlinkOperator', 404, unlink],
    ['createKey', 409, () => newcomer(narrow, { name: 'second' })],
    ['follow', 409, () => newcomer(narrow, topic)],

    ['scoreAccount', 422, manyForecasts],
    ['scoreChallenge', 422, manyEntries],

    ['listEvents', 400, () => asAgent(undefined, { query: '?cursor=x' })],
    ['listWebhooks', 404, () => newcomer(withoutGuide)],
    ['createWebhook', 201, () => asAgent(hookBody)],
    ['createWebhook', 404, () => newcomer(withoutGuide, hookBody)],
    ['createWebhook', 409, () => newcomer(narrow, hookBody)],
    ['pingWebhook', 429, async () => twice('pingWebhook', await ownHook())],
    ['redeliver', 200, delivered],
    ['redeliver', 404, ownHook],
    ['redeliver', 409, pinged],
    ['rotateWebhookSecret', 400, async () => ({ ...(await ownHook()), query: '?overlap_hours=169' })],
    ['rotateWebhookSecret', 409, rotated],
    ['getOpenApi', 200],
  ];
}
