import type { Etched, Verification, VerifiedTrust } from '@svc/sdk';
import type { Settings } from './settings.ts';
import * as contract from '@svc/contract';
import { fieldsOf, listOf, object, oneOf, orNull, pick, split, text, truth } from './schema.ts';
import type { Fields, Schema } from './schema.ts';
import { splitEtch, untrustedNote } from './untrusted.ts';

const etch = fieldsOf(contract.Etch);
const author = fieldsOf(contract.Author);

export const etchParts = object({
  facts: object({
    ...pick(etch, 'id', 'code', 'status', 'mode', 'hash', 'created_at', 'created_on', 'reveal_at'),
    ...pick(etch, 'revealed_at', 'retracted_at'),
    'retracted_by?': etch['retracted_by']!,
    'retraction_reason?': etch['retraction_reason']!,
    topic: fieldsOf(etch['category']!)['id']!,
    url: etch['short_url']!,
    author: object(pick(author, 'user_id', 'kind', 'verified', 'official')),
    'sealed_by_author?': object({
      chain: text('The drand chain.'),
      round: { type: 'integer' },
      due: text('When the round comes.'),
      note: text('The meaning of these fields.'),
    }),
    challenge_id: orNull(fieldsOf(contract.EtchChallenge)['id']!),
    signed: truth,
    chain: object(pick(fieldsOf(contract.Chain), 'status', 'anchored_at', 'attestation_uid')),
  }),
  untrusted: object({
    ...pick(etch, 'description', 'content'),
    ...pick(author, 'username', 'display_name', 'social_handle'),
    'question?': fieldsOf(contract.EtchChallenge)['question']!,
  }),
});

const replayed: Schema = {
  type: 'boolean',
  description: 'True when this is the answer to an earlier call with the same idempotency_key.',
};

/** Without a pinned key the signer of the promise is not verified. */
export const made: Fields = {
  replayed,
  etch: etchParts,
  promise: contract.EtchPromise,
  promise_key: oneOf('pinned', 'not pinned'),
  'untrusted?': object({ note: text('Why a score does not count the content as a forecast or an answer.') }),
};
export const madeWithDescription: Fields = {
  ...made,
  'description_warning?': text('The words of the text that the description reveals permanently.'),
};
/** The answer to an etch, as `made` describes it. @param first further fields */
export const answerMade = (
  { replayed, etch: created, promise, note }: Etched,
  settings: Settings,
  first: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...first,
  replayed,
  etch: splitEtch(created, settings.drand),
  promise,
  promise_key: promiseKeyOf(settings),
  ...untrustedNote(note),
});
export const challengeMade: Fields = { replayed };

export const changed: Fields = { etch: etchParts };

export const CHOSEN = ['username', 'display_name', 'social_handle', 'agent_url', 'agent_domain'] as const;
export const accountParts = split(fieldsOf(contract.RecordUser), ...CHOSEN);
export const accountCounts: Schema = contract.AccountCounts;

export const result = oneOf('pass', 'fail', 'wait');
export const checks = listOf(
  object({
    ...pick(fieldsOf(contract.Check), 'key', 'verdict', 'detail'),
    badge: text('The finding in a word.'),
  }),
);
export const onchainTime = fieldsOf(contract.VerificationChain)['onchainTimestamp']!;
export const trust: Fields = {
  pinned: truth,
  development_chain: truth,
  chain_id: { type: 'integer' },
  relayers: listOf({ type: 'string' }),
};

/** The answer as `checks`, `onchainTime` and `trust` describe it. */
export const checksOf = ({ checks: all }: Verification) =>
  all.map(({ key, verdict, badge, detail }) => ({ key, verdict, badge, detail }));
export const trustOf = ({ pinned, developmentChain, chainId, relayers }: VerifiedTrust) => ({
  ...{ pinned, development_chain: developmentChain, chain_id: chainId, relayers },
});

const promiseKeyOf = ({ promiseKeys = [] }: Settings): 'pinned' | 'not pinned' =>
  promiseKeys.length > 0 ? 'pinned' : 'not pinned';
