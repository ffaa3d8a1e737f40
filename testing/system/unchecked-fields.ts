import type { Json } from '../json.ts';
import type { Leaf } from './changing-service.ts';

export interface UncheckedFields {
  /** an etch, or an operation's id */
  readonly of: string;
  readonly fields: readonly string[];
}

/**
 * Fields that neither the request, the pins nor the rest of the answer determine. A field of an etch is named relative
 * to the etch. docs/threat-model.md has the same list.
 */
export const UNCHECKED: readonly UncheckedFields[] = [
  {
    of: 'every etch',
    fields: [
      ...['username', 'display_name', 'social_handle', 'kind', 'verified', 'official'].map(
        (field) => `author.${field}`,
      ),
      'category.label',
    ],
  },
  {
    of: 'an etch that was read',
    fields: [
      ...['description', 'category.id', 'created_on', 'reveal_at', 'retracted_at', 'challenge.question'],
      ...['attestation_uid', 'tx_hash', 'anchored_at', 'tree_size'].map((field) => `chain.${field}`),
      ...['status', 'tx_hash', 'attestation_uid'].map((field) => `chain.revocation_${field}`),
      'chain.revoked_onchain_at',
    ],
  },
  { of: 'an etch before it is anchored', fields: ['chain.status'] },
  { of: 'a sealed or retracted etch before it is anchored', fields: ['hash', 'author.user_id'] },
  {
    of: 'createChallenge',
    fields: ['challenge.category.label', 'challenge.creator_id', 'challenge.created_at'],
  },
  {
    of: 'getReceipt',
    fields: [
      ...['_what_this_is', '_verify_without_etch', 'author.username'],
      ...['tree_size', 'leaf_rule', 'node_rule'].map((field) => `inclusion.${field}`),
      ...['name', 'attestation_uid', 'tx_hash', 'anchored_at'].map((field) => `chain.${field}`),
    ],
  },
  {
    of: 'getEvidence',
    fields: [
      ...['_what_this_is', '_verify_without_etch', 'author.username'].map((field) => `receipt.${field}`),
      ...['leaf_rule', 'node_rule'].map((field) => `receipt.inclusion.${field}`),
      ...['receipt.chain.name', 'receipt.chain.tx_hash', 'commitment.header'],
    ],
  },
  {
    of: 'getChallenge',
    fields: [
      ...['category.label', 'creator_id', 'created_at', 'closed'].map((field) => `challenge.${field}`),
      ...['username', 'display_name', 'social_handle', 'social_verified_at', 'official'].map(
        (field) => `challenge.creator.${field}`,
      ),
      ...['counts.participants', 'sort', 'page.limit'],
    ],
  },
  {
    of: 'listUserEtches',
    fields: [
      ...['created_at', 'public_key', 'agent_url', 'agent_domain', 'agent_domain_checked_at'].map(
        (field) => `user.${field}`,
      ),
      ...['user.operator_id', 'page.limit'],
    ],
  },
  {
    of: 'getBatch',
    fields: ['kind', 'attestation_uid', 'tx_hash', 'anchored_at'].map((field) => `batch.${field}`),
  },
  {
    of: 'verifyEtch',
    fields: [
      ...['reconstructable_note'],
      ...['key', 'title', 'verdict', 'badge', 'detail', 'learn'].map((field) => `checks[].${field}`),
      ...['label', 'value', 'copy'].map((field) => `checks[].evidence[].${field}`),
      ...['anchored', 'attestationUid', 'onchainTimestamp', 'revoked', 'revokedAt', 'attester'].map(
        (field) => `chain.${field}`,
      ),
      ...['dataMatchesHash', 'explorerUrl', 'txUrl', 'tx_url', 'revocation_tx_url'].map(
        (field) => `chain.${field}`,
      ),
    ],
  },
  { of: 'searchEtches', fields: ['query.following', 'query.sort', 'page.pages', 'page.total'] },
  { of: 'getFeed', fields: ['personalized', 'page.next_cursor'] },
  {
    of: 'updateMe',
    fields: ['id', 'username', 'social_handle', 'social_verified_at', 'created_at', 'social_linked'].map(
      (field) => `user.${field}`,
    ),
  },
  { of: 'createKey', fields: ['key.id', 'key.prefix', 'key.created_at', 'key.last_used_at', 'api_key'] },
  {
    of: 'revokeKey',
    fields: ['name', 'scope', 'prefix', 'created_at', 'last_used_at', 'revoked_at'].map(
      (field) => `key.${field}`,
    ),
  },
  { of: 'listWatching', fields: ['counts.pending', 'counts.settled', 'counts.challenges'] },
  {
    of: 'registerAgent',
    fields: [
      ...['user_id', 'username', 'kind', 'assurance', 'verified', 'created_at'].map(
        (field) => `agent.${field}`,
      ),
      'api_key',
    ],
  },
  {
    of: 'setDomain',
    fields: [
      ...['user_id', 'username', 'display_name', 'public_key', 'agent_url', 'kind', 'assurance'],
      ...['verified', 'created_at', 'agent_domain_checked_at', 'operator_id'],
    ].map((field) => `agent.${field}`),
  },
  {
    of: 'linkOperator',
    fields: [
      ...['user_id', 'username', 'display_name', 'agent_url', 'kind', 'assurance', 'verified'],
      ...['created_at', 'agent_domain', 'agent_domain_checked_at', 'operator_id'],
    ].map((field) => `agent.${field}`),
  },
  {
    of: 'createWebhook',
    fields: [
      ...['id', 'created_at', 'last_delivered_at', 'paused_at', 'failing_since', 'disabled_at'].map(
        (field) => `webhook.${field}`,
      ),
      ...['webhook.disabled_reason', 'webhook.old_secrets_until', 'secret'],
    ],
  },
];

/** Only the service vouches for these answers, except an id or name that repeats the request. */
export const WORD_OF_THE_SERVICE: readonly string[] = [
  ...[
    'listBatches',
    'listChallenges',
    'searchAccounts',
    'searchChallenges',
    'scoreAccount',
    'scoreChallenge',
  ],
  ...['getRecord', 'getMe', 'syncSocial', 'listKeys', 'getLimits', 'unfollow', 'listFollows', 'listEvents'],
  ...['listWebhooks', 'deleteWebhook', 'listDeliveries', 'pingWebhook', 'pauseWebhook', 'resumeWebhook'],
  ...['redeliver', 'rotateWebhookSecret', 'getGuide', 'listAnswers', 'sendAnswers', 'recoverAgentKey'],
  ...['unlinkOperator', 'dropDomain', 'getOpenApi'],
];

/** Converts `etches[].author.username` of a list to `author.username` of an etch. */
export const inEtch = (name: string): string | undefined =>
  /^(?:etch|etches\[\]|pending\[\]|settled\[\])\.(.*)$/.exec(name)?.[1];

export const etchAt = (body: Json, leaf: Leaf): Json =>
  leaf
    .map((_, at) => leaf.slice(0, at + 1).reduce<Json>((value, name) => value[name], body))
    .find((value) => value?.chain?.revocation_status !== undefined);

const beforeAnchoring = ({ status }: Json): string[] => [
  'an etch before it is anchored',
  ...(status === 'revealed' ? [] : ['a sealed or retracted etch before it is anchored']),
];

/** @param etch that contains the field, if any */
export function isUnchecked(operation: string, name: string, etch: Json): boolean {
  if (WORD_OF_THE_SERVICE.includes(operation)) return true;
  const field = inEtch(name);
  const groups =
    field === undefined
      ? [operation]
      : operation === 'createEtch'
        ? ['every etch']
        : [
            ...['every etch', 'an etch that was read'],
            ...(etch.chain.status === 'anchored' ? [] : beforeAnchoring(etch)),
          ];
  return UNCHECKED.some(({ of, fields }) => groups.includes(of) && fields.includes(field ?? name));
}
