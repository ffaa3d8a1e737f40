import { etchHash, type EtchParts, parseCanonicalString, type Sha256 } from '@svc/protocol';

export interface RecordedEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  /** for a takedown */
  retracted_by?: 'operator' | undefined;
  mode: 'instant' | 'delayed';
  hash: string;
  content: string | null;
  salt: string | null;
  created_at: string | null;
  canonical_string: string | null;
  author: { user_id: string };
  chain: {
    status: string;
    attestation_uid: string | null;
    anchored_at: string | null;
    root: string | null;
    proof: string[] | null;
    tree_size: number | null;
    tree_version: 1 | 2 | null;
    revocation_status: string;
    revocation_attestation_uid: string | null;
    revocation_root: string | null;
    revocation_proof: string[] | null;
    revocation_tree_version: 1 | 2 | null;
  };
}

type Bound = Pick<RecordedEtch, 'hash' | 'canonical_string' | 'author'>;

/**
 * Null unless the canonical string makes the hash and names the author. Use these parts: a service could
 * change the fields.
 * @example
 * boundParts(etch).content === etch.content; // true
 */
export function boundParts({ hash, canonical_string, author }: Bound, sha256?: Sha256): EtchParts | null {
  if (canonical_string === null || hashOf(canonical_string, sha256) !== hash) return null;
  const parts = parseCanonicalString(canonical_string);
  return parts?.userId === author.user_id ? parts : null;
}

function hashOf(canonical: string, sha256: Sha256 | undefined): string | null {
  try {
    return etchHash(canonical, sha256);
  } catch {
    // No etch contains a lone surrogate or a NUL.
    return null;
  }
}

export function wordsFault(etch: RecordedEtch, sha256: Sha256 | undefined): string | null {
  const { status, content, salt, created_at, canonical_string } = etch;
  if (canonical_string === null) {
    const [shown] = Object.entries({ content, salt, created_at }).find(([, value]) => value !== null) ?? [];
    if (shown !== undefined) return `it shows ${shown} without canonical_string, so nothing binds it`;
    return status === 'revealed' ? 'its status is revealed, and it has no canonical_string' : null;
  }
  const parts = boundParts(etch, sha256);
  if (parts === null) return 'its words do not make its hash';
  if (status !== 'revealed') return `its status is ${status}, and it has a canonical_string`;
  const { content: text, salt: drawn, createdAt } = parts;
  const [differs] =
    Object.entries({ content: text, salt: drawn, created_at: createdAt }).find(
      ([field, value]) => etch[field as 'content' | 'salt' | 'created_at'] !== value,
    ) ?? [];
  return differs === undefined ? null : `its ${differs} is not the one in its canonical_string`;
}
