import { Type, type Static } from 'typebox';
import {
  Address,
  Hex32,
  Time,
  Url,
  Uuid,
  chainHex32,
  hex32,
  nullable,
  oneOf,
  shape,
  told,
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

export const Evidence = shape(
  'Evidence',
  {
    label: Type.String({ description: 'The label of the value.' }),
    value: Type.String({ description: 'The value, as text.' }),
    copy: Type.Boolean({ description: 'Should a page offer to copy the value?' }),
  },
  'A value that a check used.',
);
export type Evidence = Static<typeof Evidence>;

export const Check = shape(
  'Check',
  {
    key: oneOf(CHECK_KEYS, 'What was checked: the words, the tree, or the chain.'),
    title: Type.String({ description: 'The name of the check.' }),
    verdict: oneOf(
      VERDICTS,
      'Only `fail` speaks against the etch. `wait`: not known yet. `info`: nothing to check.',
    ),
    badge: oneOf(badges, 'The result in one word.'),
    detail: Type.String({ description: 'The result in a sentence.' }),
    evidence: Type.Array(Evidence, { description: 'The values that the check used.' }),
    learn: told(Url, 'A page that explains the check.'),
  },
  'A check and its result.',
);
export type Check = Static<typeof Check>;

export const VerificationChain = shape(
  'VerificationChain',
  {
    anchored: Type.Boolean({ description: 'Was the attestation read on the chain?' }),
    attestationUid: nullable(chainHex32('The attestation.')),
    onchainTimestamp: nullable(Time, 'Its time on the chain.'),
    revoked: Type.Boolean({ description: 'Was the attestation itself revoked?' }),
    revokedAt: nullable(Time, 'When it was revoked on the chain.'),
    explorerUrl: nullable(Url, 'The attestation in a block explorer; null if the service has none.'),
    attester: nullable(Address, 'The attester on the chain.'),
    dataMatchesHash: Type.Boolean({ description: 'Does it contain the root that the proof folds to?' }),
    txUrl: nullable(Url, 'The same as `tx_url`.'),
    tx_url: nullable(Url, 'The transaction in a block explorer; null if the service has none.'),
    revocation_tx_url: nullable(
      Url,
      "The tombstone's transaction in a block explorer; null if the service has none.",
    ),
  },
  'Data read from the chain; false or null if the chain could not be read.',
);
export type VerificationChain = Static<typeof VerificationChain>;

export const Verification = shape(
  'Verification',
  {
    id: told(Uuid, "The etch's id."),
    status: EtchStatusField,
    hash: hex32('The committed hash.'),
    canonical_string: nullable(
      Type.String(),
      'The exact string that was hashed; null while sealed and after a retraction.',
    ),
    recomputed_hash: nullable(Hex32, 'The hash recomputed from the canonical string; null without one.'),
    recomputed_hash_matches: Type.Boolean({
      description: 'Does the recomputed hash equal the committed hash?',
    }),
    reconstructable: Type.Boolean({ description: 'Is the hashed string public?' }),
    reconstructable_note: nullable(Type.String(), 'Why it is not public; null if it is.'),
    checks: Type.Array(Check, {
      description: 'The checks of the words, the tree and the chain, in this order.',
    }),
    chain: VerificationChain,
    etch: Etch,
  },
  'The checks of an etch and their results.',
);
export type Verification = Static<typeof Verification>;
