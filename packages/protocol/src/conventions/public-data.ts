/** An etch as anybody reads it: an element of a record, of a challenge, of an export. */
export interface PublicEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  /** there when the operator took the text down, which is nothing that its author did */
  retracted_by?: 'operator' | undefined;
  mode: 'instant' | 'delayed';
  description: string;
  /** null while sealed and after retraction, as is the time */
  content: string | null;
  created_at: string | null;
  author: { user_id: string; username: string };
  challenge: { id: string } | null;
  /** when it was attested; null while it is not */
  chain: { anchored_at: string | null };
}

/** A challenge as anybody reads it. */
export interface PublicChallenge {
  id: string;
  question: string;
  creator_id: string;
  /** when it closes */
  reveal_at: string;
}

/** Orders etches by the time at which they were attested, those that are not yet behind, then by `created_at`, then by id. */
export function inOrder(a: PublicEtch, b: PublicEtch): number {
  return (
    compare(a.chain.anchored_at ?? '~', b.chain.anchored_at ?? '~') ||
    compare(a.created_at ?? '', b.created_at ?? '') ||
    compare(a.id, b.id)
  );
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
