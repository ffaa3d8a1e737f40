import type { Etch } from '@svc/contract';
import { parseQuestion, readWords, VOID } from '@svc/protocol/conventions';
import { takenDownFor } from './taken-down.ts';

export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: { etch_id: string; outcome: string } }
  | { state: 'pending'; etchId: string; outcome: string }
  /** the first resolution was retracted */
  | { state: 'retracted' }
  | { state: 'open' };

export type ListOutcomes = ReadonlyMap<string, ShownOutcome>;

/** `Resolved: yes` or `Resolved: 8 nights`; undefined without an outcome that counts. */
export function outcomeWords(outcome: ShownOutcome | undefined, question: string): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  const { outcome: value } = outcome.first;
  if (value === VOID) return 'Resolved as void';
  const asked = parseQuestion(question);
  return `Resolved: ${value}${asked.asks === 'number' ? ` ${asked.unit}` : ''}`;
}

/** The words of a resolution may be erased. */
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
