import { Type, type Static } from 'typebox';
import { Address, ChainHex32, Hex32, Time, Url, Uuid, nullable, oneOf, shape } from '../fields.ts';
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

export const Evidence = shape('Evidence', {
  label: Type.String(),
  value: Type.String(),
  copy: Type.Boolean({ description: 'Is the value worth a copy button?' }),
});
export type Evidence = Static<typeof Evidence>;

export const Check = shape('Check', {
  key: oneOf(CHECK_KEYS),
  title: Type.String(),
  verdict: oneOf(VERDICTS),
  badge: oneOf(badges),
  detail: Type.String(),
  evidence: Type.Array(Evidence),
  learn: Url,
});
export type Check = Static<typeof Check>;

export const VerificationChain = shape(
  'VerificationChain',
  {
    anchored: Type.Boolean(),
    attestationUid: nullable(ChainHex32),
    onchainTimestamp: nullable(Time),
    revoked: Type.Boolean(),
    revokedAt: nullable(Time),
    explorerUrl: nullable(Url),
    attester: nullable(Address),
    dataMatchesHash: Type.Boolean(),
    txUrl: nullable(Url),
    tx_url: nullable(Url),
    revocation_tx_url: nullable(Url),
  },
  'What was read from the chain itself; false and null where nothing could be read.',
);
export type VerificationChain = Static<typeof VerificationChain>;

export const Verification = shape('Verification', {
  id: Uuid,
  status: EtchStatusField,
  hash: Hex32,
  canonical_string: nullable(Type.String()),
  recomputed_hash: nullable(Hex32),
  recomputed_hash_matches: Type.Boolean(),
  reconstructable: Type.Boolean(),
  reconstructable_note: nullable(Type.String()),
  checks: Type.Array(Check),
  chain: VerificationChain,
  etch: Etch,
});
export type Verification = Static<typeof Verification>;
