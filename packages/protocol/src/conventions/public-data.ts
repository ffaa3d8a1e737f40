/** A public etch: an element of a record, of a challenge, of an export. */
export interface PublicEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  /** set when the operator took the text down; the author did not retract it */
  retracted_by?: 'operator' | undefined;
  mode: 'instant' | 'delayed';
  description: string;
  /** null while sealed and after a retraction, like the time */
  content: string | null;
  created_at: string | null;
  author: { user_id: string; username: string };
  challenge: { id: string } | null;
  /** null until attested */
  chain: { anchored_at: string | null };
}

/** A public challenge. */
export interface PublicChallenge {
  id: string;
  question: string;
  creator_id: string;
  /** when it closes */
  reveal_at: string;
}

/** Did the operator take the text down? A takedown never counts as a retraction by the author. */
export const isTakenDown = ({ status, retracted_by }: PublicEtch): boolean =>
  status === 'retracted' && retracted_by !== undefined;

/** Orders etches by attestation time, unattested ones last, then by `created_at`, then by id. */
export function inOrder(a: PublicEtch, b: PublicEtch): number {
  return (
    compare(a.chain.anchored_at ?? '~', b.chain.anchored_at ?? '~') ||
    compare(a.created_at ?? '', b.created_at ?? '') ||
    compare(a.id, b.id)
  );
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
