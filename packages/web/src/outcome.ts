import type { Etch } from '@svc/contract';
import { readWords, VOID } from '@svc/protocol/conventions';
import { takenDownFor } from './taken-down.ts';

/** How far the resolution of a question is. */
export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: { etch_id: string; outcome: string } }
  /** written, but not attested yet */
  | { state: 'pending'; etchId: string; outcome: string }
  /** the first resolution was retracted */
  | { state: 'retracted' }
  | { state: 'open' };

/** What a resolution says: `Resolved: yes.` Its words may be erased. */
export function outcomeText(etch: Etch): string {
  if (etch.status === 'retracted')
    return takenDownFor(etch) === null
      ? 'The resolution was retracted: the question stays unresolved.'
      : 'The resolution was taken down.';
  const { content } = etch;
  const words = readWords(content ?? '');
  if (words.kind !== 'resolution') return 'Resolved.';
  return words.outcome === VOID ? 'Resolved as void.' : `Resolved: ${words.outcome}.`;
}
