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

/** The badges each check may carry. */
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
    label: Type.String({ description: 'What the value is.' }),
    value: Type.String({ description: 'The value, as text.' }),
    copy: Type.Boolean({ description: 'Is the value worth a copy button?' }),
  },
  'A value that a check rests on.',
);
export type Evidence = Static<typeof Evidence>;

export const Check = shape(
  'Check',
  {
    key: oneOf(CHECK_KEYS, 'What was checked: the words, the tree, or the chain.'),
    title: Type.String({ description: 'The check, for people.' }),
    verdict: oneOf(
      VERDICTS,
      '`fail` alone speaks against the etch; `wait`: it cannot be said now; `info`: there is nothing to check.',
    ),
    badge: oneOf(badges, 'How it came out, in one word.'),
    detail: Type.String({ description: 'The same in a sentence.' }),
    evidence: Type.Array(Evidence, { description: 'What it rests on.' }),
    learn: told(Url, 'Where the check is explained.'),
  },
  'One check, and how it came out.',
);
export type Check = Static<typeof Check>;

export const VerificationChain = shape(
  'VerificationChain',
  {
    anchored: Type.Boolean({ description: 'Was the attestation read on the chain?' }),
    attestationUid: nullable(chainHex32('The attestation.')),
    onchainTimestamp: nullable(Time, 'Its time, as the chain has it.'),
    revoked: Type.Boolean({ description: 'Was the attestation itself revoked?' }),
    revokedAt: nullable(Time, 'When it was revoked, as the chain has it.'),
    explorerUrl: nullable(Url, 'The attestation at an explorer; null where none is set.'),
    attester: nullable(Address, 'Who made it, as the chain has it.'),
    dataMatchesHash: Type.Boolean({ description: 'Does it hold the root that the proof folds to?' }),
    txUrl: nullable(Url, 'The same as `tx_url`.'),
    tx_url: nullable(Url, 'The transaction at an explorer; null where none is set.'),
    revocation_tx_url: nullable(Url, "The tombstone's transaction at an explorer; null where none is set."),
  },
  'What was read from the chain itself; false and null where nothing could be read.',
);
export type VerificationChain = Static<typeof VerificationChain>;

export const Verification = shape(
  'Verification',
  {
    id: told(Uuid, "The etch's id."),
    status: EtchStatusField,
    hash: hex32('The hash that was committed to.'),
    canonical_string: nullable(
      Type.String(),
      'Exactly what was hashed; null while sealed and for ever after retraction.',
    ),
    recomputed_hash: nullable(Hex32, 'The hash computed anew from it; null without it.'),
    recomputed_hash_matches: Type.Boolean({ description: 'Is that the hash that was committed to?' }),
    reconstructable: Type.Boolean({ description: 'Is all that was hashed public?' }),
    reconstructable_note: nullable(Type.String(), 'Why not; null when it is.'),
    checks: Type.Array(Check, { description: 'The words, the tree, the chain, in this order.' }),
    chain: VerificationChain,
    etch: Etch,
  },
  'What was checked of an etch, and how it came out.',
);
export type Verification = Static<typeof Verification>;
