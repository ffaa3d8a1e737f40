import {
  etchHash,
  type EtchParts,
  etchSignedString,
  parseCanonicalString,
  type Receipt,
  type verifySignature,
} from '@svc/protocol';
import { type CheckedValue, exact, type Finding, finding } from './check.ts';

/** Lets browsers load Ed25519 only for signed etches. */
export type SignatureCheck = typeof verifySignature;

export interface WordsResult extends Finding<'words'> {
  /** null without a well-formed canonical string */
  recomputedHash: string | null;
  /** null unless the words make the hash */
  createdAt: string | null;
}

/** Sealed and erased words cannot be checked (docs/specification.md#the-hash-rule). */
export function checkWords(receipt: Receipt, verifySignature: SignatureCheck): WordsResult {
  const { status, canonical_string: canonical, hash, author } = receipt;
  const published = exact('Published hash', hash);
  if (canonical === null) {
    const [badge, detail] =
      status === 'sealed'
        ? (['sealed', 'The receipt says that the words are sealed, and shows only their hash.'] as const)
        : (['erased', 'The receipt says that the etch is retracted, and shows only its hash.'] as const);
    return { ...finding('info', badge, detail, [published]), recomputedHash: null, createdAt: null };
  }
  const parts = parseCanonicalString(canonical);
  if (parts === null)
    return mismatch(
      'The canonical string does not have the form svc:v1|author|time|salt|words.',
      [published],
      null,
    );
  const recomputed = etchHash(canonical);
  const evidence = [exact('Canonical string', canonical), exact('Recomputed hash', recomputed), published];
  if (recomputed !== hash) return mismatch('The words do not make the published hash.', evidence, recomputed);
  if (parts.userId !== author.user_id)
    return mismatch(`The words are by ${parts.userId}, not by ${author.user_id}.`, evidence, recomputed);
  return {
    ...signed(receipt, parts, evidence, verifySignature),
    recomputedHash: recomputed,
    createdAt: parts.createdAt,
  };
}

function signed(
  { signature }: Receipt,
  parts: EtchParts,
  evidence: CheckedValue[],
  verifySignature: SignatureCheck,
): Finding<'words'> {
  const match = 'The author, time, salt and words make the published hash.';
  if (signature === null) return finding('pass', 'match', match, evidence);
  const message = etchSignedString(parts.userId, parts.content);
  const { public_key: publicKey, value } = signature;
  const all = [
    ...evidence,
    exact('Signed by key', publicKey),
    exact('Signature', value),
    exact('Signed string', message),
  ];
  return verifySignature({ publicKey, message, signature: value })
    ? finding(
        'pass',
        'match',
        `${match} They are signed by the key ${publicKey.slice(0, 8)}…; nothing here ties that key to the author.`,
        all,
      )
    : finding('fail', 'mismatch', 'The signature does not fit the words, the author and its key.', all);
}

function mismatch(detail: string, evidence: CheckedValue[], recomputedHash: string | null): WordsResult {
  return { ...finding('fail', 'mismatch', detail, evidence), recomputedHash, createdAt: null };
}
