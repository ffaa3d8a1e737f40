import { Type, type Static } from 'typebox';
import {
  Address,
  Hex32,
  Time,
  Url,
  Uuid,
  chainHex32,
  flag,
  hex32,
  listOf,
  nullable,
  oneOf,
  shape,
  text,
  doc,
} from '../fields.ts';
import { Etch, EtchStatusField } from './etch.ts';

export const CHECK_KEYS = ['words', 'batch', 'chain'] as const;
export type CheckKey = (typeof CHECK_KEYS)[number];

export const VERDICTS = ['pass', 'fail', 'wait', 'info'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const BADGES_OF = Object.freeze({
  words: ['match', 'mismatch', 'sealed', 'erased'],
  batch: ['included', 'excluded', 'pending', 'direct'],
  chain: ['attested', 'late', 'mismatch', 'revoked', 'pending', 'unreachable'],
} as const);
export type Badge = (typeof BADGES_OF)[CheckKey][number];

const badges = [...new Set(Object.values(BADGES_OF).flat())] as Badge[];

export const Evidence = shape('Evidence', 'A value that a check used.', {
  label: text('The label of the value.'),
  value: text('The value, as text.'),
  copy: flag('Should a page offer to copy the value?'),
});
export type Evidence = Static<typeof Evidence>;

export const Check = shape('Check', 'A check and its result.', {
  key: oneOf(CHECK_KEYS, 'What was checked: the words, the tree, or the chain.'),
  title: text('The name of the check.'),
  verdict: oneOf(
    VERDICTS,
    'Only `fail` speaks against the etch. `wait`: not known yet. `info`: nothing to check.',
  ),
  badge: oneOf(badges, 'The result in one word.'),
  detail: text('The result in a sentence.'),
  evidence: listOf(Evidence, 'The values that the check used.'),
  learn: doc(Url, 'A page that explains the check.'),
});
export type Check = Static<typeof Check>;

export const VerificationChain = shape(
  'VerificationChain',
  'Data read from the chain; false or null if the chain could not be read.',
  {
    anchored: flag('Was the attestation read on the chain?'),
    attestationUid: nullable(chainHex32('The attestation.')),
    onchainTimestamp: nullable(Time, 'Its time on the chain.'),
    revoked: flag('Was the attestation itself revoked?'),
    revokedAt: nullable(Time, 'When it was revoked on the chain.'),
    explorerUrl: nullable(Url, 'The attestation in a block explorer; null if the service has none.'),
    attester: nullable(Address, 'The attester on the chain.'),
    dataMatchesHash: flag('Does it contain the root that the proof folds to?'),
    txUrl: nullable(Url, 'The same as `tx_url`.'),
    tx_url: nullable(Url, 'The transaction in a block explorer; null if the service has none.'),
    revocation_tx_url: nullable(
      Url,
      "The tombstone's transaction in a block explorer; null if the service has none.",
    ),
  },
);

export const Verification = shape('Verification', 'The checks of an etch and their results.', {
  id: doc(Uuid, "The etch's id."),
  status: EtchStatusField,
  hash: hex32('The committed hash.'),
  canonical_string: nullable(
    Type.String(),
    'The exact string that was hashed; null while sealed and after a retraction.',
  ),
  recomputed_hash: nullable(Hex32, 'The hash recomputed from the canonical string; null without one.'),
  recomputed_hash_matches: flag('Does the recomputed hash equal the committed hash?'),
  reconstructable: flag('Is the hashed string public?'),
  reconstructable_note: nullable(Type.String(), 'Why it is not public; null if it is.'),
  checks: listOf(Check, 'The checks of the words, the tree and the chain, in this order.'),
  chain: VerificationChain,
  etch: Etch,
});
export type Verification = Static<typeof Verification>;
