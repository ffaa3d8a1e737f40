/** How far the resolution of a question is. */
export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: { etch_id: string; outcome: string } }
  /** written, but not attested yet */
  | { state: 'pending'; etchId: string; outcome: string }
  /** the first resolution was retracted */
  | { state: 'retracted' }
  | { state: 'open' };
