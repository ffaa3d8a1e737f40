import { etchHash, etchSignedString, parseCanonicalString } from '@svc/protocol';
import type { EtchParts, Receipt, verifySignature } from '@svc/protocol';
import { exact } from './check.ts';
import type { Evidence, Finding } from './check.ts';

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
    const unknown = {
      verdict: 'info' as const,
      evidence: [published],
      recomputedHash: null,
      createdAt: null,
    };
    return status === 'sealed'
      ? {
          ...unknown,
          badge: 'sealed',
          detail: 'The receipt says that the words are sealed, and shows only their hash.',
        }
      : {
          ...unknown,
          badge: 'erased',
          detail: 'The receipt says that the etch is retracted, and shows only its hash.',
        };
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
  evidence: Evidence[],
  verifySignature: SignatureCheck,
): Finding<'words'> {
  const match = 'The author, time, salt and words make the published hash.';
  if (signature === null) return { verdict: 'pass', badge: 'match', detail: match, evidence };
  const message = etchSignedString(parts.userId, parts.content);
  const { public_key: publicKey, value } = signature;
  const all = [
    ...evidence,
    exact('Signed by key', publicKey),
    exact('Signature', value),
    exact('Signed string', message),
  ];
  return verifySignature({ publicKey, message, signature: value })
    ? {
        verdict: 'pass',
        badge: 'match',
        detail: `${match} They are signed by the key ${publicKey}; nothing here ties that key to the author.`,
        evidence: all,
      }
    : {
        verdict: 'fail',
        badge: 'mismatch',
        detail: 'The signature does not fit the words, the author and its key.',
        evidence: all,
      };
}

function mismatch(detail: string, evidence: Evidence[], recomputedHash: string | null): WordsResult {
  return { verdict: 'fail', badge: 'mismatch', detail, evidence, recomputedHash, createdAt: null };
}
