/** An etch as anybody reads it: an element of a record, of a challenge, of an export. */
export interface PublicEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  /** set when the operator took the text down; the author did not retract it */
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

/** Did the operator take the text down? A takedown never counts as a retraction of the author. */
export const isTakenDown = ({ status, retracted_by }: PublicEtch): boolean =>
  status === 'retracted' && retracted_by !== undefined;

/** Orders etches by the time at which they were attested, those that are not yet behind, then by `created_at`, then by id. */
export function inOrder(a: PublicEtch, b: PublicEtch): number {
  return (
    compare(a.chain.anchored_at ?? '~', b.chain.anchored_at ?? '~') ||
    compare(a.created_at ?? '', b.created_at ?? '') ||
    compare(a.id, b.id)
  );
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
