export interface PublicEtch {
  id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  /** set for a takedown */
  retracted_by?: 'operator' | undefined;
  mode: 'instant' | 'delayed';
  description: string;
  /** null while sealed and after a retraction */
  content: string | null;
  created_at: string | null;
  author: { user_id: string; username: string };
  challenge: { id: string } | null;
  /** null until attested */
  chain: { anchored_at: string | null };
}

export interface PublicChallenge {
  id: string;
  question: string;
  creator_id: string;
  reveal_at: string;
}

export const isEtchTakenDown = ({ status, retracted_by }: PublicEtch): boolean =>
  status === 'retracted' && retracted_by !== undefined;

/** Sorts by attestation, `created_at`, id. Unattested etches come last. */
export function inOrder(a: PublicEtch, b: PublicEtch): number {
  return (
    compare(a.chain.anchored_at ?? '~', b.chain.anchored_at ?? '~') ||
    compare(a.created_at ?? '', b.created_at ?? '') ||
    compare(a.id, b.id)
  );
}

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

export function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
