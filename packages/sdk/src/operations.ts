import type { BodyOf, OperationId, Operations, ParamsOf, QueryOf, SuccessOf } from '@svc/contract/types';

/**
 * When to retry a request that may have been carried out. `always`: a second request changes nothing.
 * `with-key`: with an Idempotency-Key. `never`: only after a rejection.
 */
export type Repeat = 'always' | 'with-key' | 'never';

/** The compiler checks methods and paths against the contract. */
type Table = {
  readonly [Id in OperationId]: readonly [
    method: Operations[Id]['method'],
    path: Operations[Id]['path'],
    repeat: Repeat,
    /** without this field, a different program answered */
    has: keyof SuccessOf<Id> & string,
  ];
};

export const OPERATIONS: Table = {
  createEtch: ['POST', '/api/v1/etches', 'with-key', 'etch'],
  findEtchByHash: ['GET', '/api/v1/etches', 'always', 'etch'],
  getEtch: ['GET', '/api/v1/etches/{id}', 'always', 'etch'],
  revealEtch: ['POST', '/api/v1/etches/{id}/reveal', 'always', 'etch'],
  // `retract` treats the 422 of a second retraction as success.
  retractEtch: ['POST', '/api/v1/etches/{id}/retract', 'always', 'etch'],
  getReceipt: ['GET', '/api/v1/etches/{id}/receipt', 'always', '_format'],
  getEvidence: ['GET', '/api/v1/etches/{id}/evidence', 'always', '_format'],
  getOpening: ['GET', '/api/v1/etches/{id}/opening', 'always', '_format'],
  getBeacon: ['GET', '/api/v1/beacons/{chain}/{round}', 'always', 'round'],
  verifyEtch: ['GET', '/api/v1/verify/{id}', 'always', 'checks'],
  listBatches: ['GET', '/api/v1/batches', 'always', 'batches'],
  getBatch: ['GET', '/api/v1/batches/{root}', 'always', 'batch'],
  listChallenges: ['GET', '/api/v1/challenges', 'always', 'challenges'],
  createChallenge: ['POST', '/api/v1/challenges', 'with-key', 'challenge'],
  getChallenge: ['GET', '/api/v1/challenges/{id}', 'always', 'challenge'],
  searchEtches: ['GET', '/api/v1/search', 'always', 'etches'],
  searchAccounts: ['GET', '/api/v1/search/accounts', 'always', 'accounts'],
  searchChallenges: ['GET', '/api/v1/search/challenges', 'always', 'challenges'],
  getFeed: ['GET', '/api/v1/feed', 'always', 'etches'],
  listUserEtches: ['GET', '/api/v1/users/{username}/etches', 'always', 'etches'],
  scoreAccount: ['GET', '/api/v1/users/{username}/score', 'always', 'account'],
  scoreChallenge: ['GET', '/api/v1/challenges/{id}/score', 'always', 'challenge'],
  getRecord: ['GET', '/api/v1/users/{username}/record', 'always', 'markdown'],
  getMe: ['GET', '/api/v1/me', 'always', 'user'],
  updateMe: ['PATCH', '/api/v1/me', 'always', 'user'],
  syncSocial: ['POST', '/api/v1/me/social', 'always', 'user'],
  listKeys: ['GET', '/api/v1/me/keys', 'always', 'keys'],
  createKey: ['POST', '/api/v1/me/keys', 'never', 'api_key'],
  revokeKey: ['DELETE', '/api/v1/me/keys/{id}', 'never', 'key'],
  getLimits: ['GET', '/api/v1/me/limits', 'always', 'etches'],
  follow: ['POST', '/api/v1/follows', 'always', 'follow'],
  unfollow: ['DELETE', '/api/v1/follows', 'never', 'unfollowed'],
  listFollows: ['GET', '/api/v1/follows/me', 'always', 'users'],
  listWatching: ['GET', '/api/v1/follows/watching', 'always', 'counts'],
  listEvents: ['GET', '/api/v1/me/events', 'always', 'page'],
  listWebhooks: ['GET', '/api/v1/me/webhooks', 'always', 'webhooks'],
  // Only the answer contains the secret, so a webhook whose answer was lost is useless.
  createWebhook: ['POST', '/api/v1/me/webhooks', 'never', 'secret'],
  deleteWebhook: ['DELETE', '/api/v1/me/webhooks/{id}', 'never', 'webhook'],
  listDeliveries: ['GET', '/api/v1/me/webhooks/{id}/deliveries', 'always', 'page'],
  pingWebhook: ['POST', '/api/v1/me/webhooks/{id}/ping', 'never', 'delivery'],
  pauseWebhook: ['POST', '/api/v1/me/webhooks/{id}/pause', 'always', 'webhook'],
  resumeWebhook: ['POST', '/api/v1/me/webhooks/{id}/resume', 'always', 'webhook'],
  redeliver: ['POST', '/api/v1/me/webhooks/{id}/deliveries/{event_id}/redeliver', 'always', 'delivery'],
  rotateWebhookSecret: ['POST', '/api/v1/me/webhooks/{id}/rotate-secret', 'never', 'secret'],
  getGuide: ['GET', '/api/v1/me/guide', 'always', 'progress'],
  listAnswers: ['GET', '/api/v1/guide/answers', 'always', 'testers'],
  sendAnswers: ['POST', '/api/v1/guide/answers', 'never', 'sent'],
  // The service accepts a signature once.
  registerAgent: ['POST', '/api/v1/agents', 'never', 'api_key'],
  recoverAgentKey: ['POST', '/api/v1/agents/keys', 'never', 'api_key'],
  linkOperator: ['POST', '/api/v1/me/operator', 'never', 'agent'],
  unlinkOperator: ['DELETE', '/api/v1/me/operator', 'never', 'agent'],
  setDomain: ['POST', '/api/v1/me/domain', 'always', 'agent'],
  dropDomain: ['DELETE', '/api/v1/me/domain', 'always', 'agent'],
  getOpenApi: ['GET', '/api/v1/openapi.json', 'always', 'openapi'],
};

/** Lists are comma-separated. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

type Given<Name extends string, Value> = undefined extends Value ? unknown : { readonly [N in Name]: Value };

export type InputOf<Id extends OperationId> = Given<'params', ParamsOf<Id>> &
  Given<'body', BodyOf<Id>> &
  (QueryOf<Id> extends undefined
    ? unknown
    : { readonly query?: { readonly [K in keyof QueryOf<Id>]?: QueryValue } }) &
  CallOptions;

export interface CallOptions {
  /** ends the call and its retries; the call throws the signal's reason */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /** at most 255 characters; default: random. Store it to retry later. */
  readonly idempotencyKey?: string | undefined;
}

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

/** Encodes a segment, so that an id cannot change the path. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || value === '' || value === '.' || value === '..')
    throw new TypeError(`${name} is missing or is not valid in a path`);
  return encodeURIComponent(value);
}
