import type { BodyOf, OperationId, ParamsOf, QueryOf, ROUTES } from '@svc/contract';

/**
 * May a request be sent again when nobody knows whether the first one was carried out? `always`: twice is as good as
 * once. `with-key`: once it carries an Idempotency-Key. `never`: only after an answer that refused it.
 */
type Repeat = 'always' | 'with-key' | 'never';

/** Method and path as the contract has them: a table that differs from it does not compile. */
type Table = {
  readonly [Id in OperationId]: readonly [
    method: (typeof ROUTES)[Id]['method'],
    path: (typeof ROUTES)[Id]['path'],
    repeat: Repeat,
  ];
};

export const OPERATIONS: Table = {
  createEtch: ['POST', '/api/v1/etches', 'with-key'],
  findEtchByHash: ['GET', '/api/v1/etches', 'always'],
  getEtch: ['GET', '/api/v1/etches/{id}', 'always'],
  revealEtch: ['POST', '/api/v1/etches/{id}/reveal', 'always'],
  // A second retraction is refused with 422: `retract` reads that as the first one's success.
  retractEtch: ['POST', '/api/v1/etches/{id}/retract', 'always'],
  getReceipt: ['GET', '/api/v1/etches/{id}/receipt', 'always'],
  getEvidence: ['GET', '/api/v1/etches/{id}/evidence', 'always'],
  getOpening: ['GET', '/api/v1/etches/{id}/opening', 'always'],
  getBeacon: ['GET', '/api/v1/beacons/{chain}/{round}', 'always'],
  verifyEtch: ['GET', '/api/v1/verify/{id}', 'always'],
  listBatches: ['GET', '/api/v1/batches', 'always'],
  getBatch: ['GET', '/api/v1/batches/{root}', 'always'],
  listChallenges: ['GET', '/api/v1/challenges', 'always'],
  createChallenge: ['POST', '/api/v1/challenges', 'with-key'],
  getChallenge: ['GET', '/api/v1/challenges/{id}', 'always'],
  searchEtches: ['GET', '/api/v1/search', 'always'],
  searchAccounts: ['GET', '/api/v1/search/accounts', 'always'],
  searchChallenges: ['GET', '/api/v1/search/challenges', 'always'],
  getFeed: ['GET', '/api/v1/feed', 'always'],
  listUserEtches: ['GET', '/api/v1/users/{username}/etches', 'always'],
  scoreAccount: ['GET', '/api/v1/users/{username}/score', 'always'],
  scoreChallenge: ['GET', '/api/v1/challenges/{id}/score', 'always'],
  getRecord: ['GET', '/api/v1/users/{username}/record', 'always'],
  getMe: ['GET', '/api/v1/me', 'always'],
  updateMe: ['PATCH', '/api/v1/me', 'always'],
  syncSocial: ['POST', '/api/v1/me/social', 'always'],
  listKeys: ['GET', '/api/v1/me/keys', 'always'],
  createKey: ['POST', '/api/v1/me/keys', 'never'],
  revokeKey: ['DELETE', '/api/v1/me/keys/{id}', 'never'],
  getLimits: ['GET', '/api/v1/me/limits', 'always'],
  follow: ['POST', '/api/v1/follows', 'always'],
  unfollow: ['DELETE', '/api/v1/follows', 'never'],
  listFollows: ['GET', '/api/v1/follows/me', 'always'],
  listWatching: ['GET', '/api/v1/follows/watching', 'always'],
  listEvents: ['GET', '/api/v1/me/events', 'always'],
  listWebhooks: ['GET', '/api/v1/me/webhooks', 'always'],
  // Its secret is in the answer alone: one that got lost is of no use.
  createWebhook: ['POST', '/api/v1/me/webhooks', 'never'],
  deleteWebhook: ['DELETE', '/api/v1/me/webhooks/{id}', 'never'],
  listDeliveries: ['GET', '/api/v1/me/webhooks/{id}/deliveries', 'always'],
  pingWebhook: ['POST', '/api/v1/me/webhooks/{id}/ping', 'never'],
  redeliver: ['POST', '/api/v1/me/webhooks/{id}/deliveries/{event_id}/redeliver', 'always'],
  rotateWebhookSecret: ['POST', '/api/v1/me/webhooks/{id}/rotate-secret', 'never'],
  getGuide: ['GET', '/api/v1/me/guide', 'always'],
  listAnswers: ['GET', '/api/v1/guide/answers', 'always'],
  sendAnswers: ['POST', '/api/v1/guide/answers', 'never'],
  // Signatures work once, so these are never sent twice.
  registerAgent: ['POST', '/api/v1/agents', 'never'],
  recoverAgentKey: ['POST', '/api/v1/agents/keys', 'never'],
  linkOperator: ['POST', '/api/v1/me/operator', 'never'],
  unlinkOperator: ['DELETE', '/api/v1/me/operator', 'never'],
  setDomain: ['POST', '/api/v1/me/domain', 'always'],
  dropDomain: ['DELETE', '/api/v1/me/domain', 'always'],
  getOpenApi: ['GET', '/api/v1/openapi.json', 'always'],
};

/** A list is sent comma-separated. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

type Given<Name extends string, Value> = Value extends undefined ? unknown : { readonly [N in Name]: Value };

/** What an operation is called with, from the contract's schemas; queries also take numbers and lists. */
export type InputOf<Id extends OperationId> = Given<'params', ParamsOf<Id>> &
  Given<'body', BodyOf<Id>> &
  (QueryOf<Id> extends undefined
    ? unknown
    : { readonly query?: { readonly [K in keyof QueryOf<Id>]?: QueryValue } }) &
  CallOptions;

/** What every call takes. */
export interface CallOptions {
  /** ends the call and its retries; the call then throws the signal's reason */
  readonly signal?: AbortSignal | undefined;
}

/** What a creating call takes. */
export interface CreateOptions extends CallOptions {
  /** at most 255 characters; made up for this call when absent. Keep it to repeat the call another day. */
  readonly idempotencyKey?: string | undefined;
}

/** The address of an operation under the service's base url. */
export function pathOf(
  id: OperationId,
  params: Readonly<Record<string, string>> | undefined,
  query: Readonly<Record<string, QueryValue>> | undefined,
): string {
  const path = OPERATIONS[id][1].replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params?.[name]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value));
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Encoded so that an id can never lead to another address. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name} is missing or cannot stand in a path`);
  return encodeURIComponent(value);
}
