import type { Etch } from '@svc/contract';
import { readWords, VOID } from '@svc/protocol/conventions';
import { takenDownFor } from './taken-down.ts';

export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: { etch_id: string; outcome: string } }
  /** not attested yet */
  | { state: 'pending'; etchId: string; outcome: string }
  /** the first resolution was retracted */
  | { state: 'retracted' }
  | { state: 'open' };

/** `Resolved: yes.` Its words may be erased. */
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
