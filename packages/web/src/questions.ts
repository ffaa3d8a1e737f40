import type { Etch } from '@svc/contract';
import { parseQuestion, parseSettleRule, readWords, type SettleRule, VOID } from '@svc/protocol/conventions';
import { takenDownFor } from './taken-down.ts';

export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: { etch_id: string; outcome: string } }
  | { state: 'pending'; etchId: string; outcome: string }
  | { state: 'retracted' }
  | { state: 'open' };

export type ListOutcomes = ReadonlyMap<string, ShownOutcome>;

/** `Resolved: yes` or `Resolved: 8 nights`; undefined without an outcome that counts. */
export function outcomeWords(outcome: ShownOutcome | undefined, question: string): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  const { outcome: value } = outcome.first;
  if (value === VOID) return 'Resolved as void';
  return `Resolved: ${value}${unitOf(question)}`;
}

/** `8 nights`; `void` has no unit. */
export const outcomeValue = (value: string, unit = ''): string => (value === VOID ? value : value + unit);

/** ` nights`, to follow a number; empty if the question names no unit. */
export function unitOf(question: string): string {
  const asked = parseQuestion(question);
  return asked.asks === 'number' ? ` ${asked.unit}` : '';
}

export function outcomeText(etch: Etch, question = ''): string {
  if (etch.status === 'retracted')
    return takenDownFor(etch) === null
      ? 'The resolution was retracted: the question stays unresolved.'
      : 'The resolution was taken down.';
  const { content } = etch;
  const words = readWords(content ?? '');
  if (words.kind !== 'resolution') return 'Resolved.';
  return words.outcome === VOID ? 'Resolved as void.' : `Resolved: ${words.outcome}${unitOf(question)}.`;
}

/** Leaves out brackets and the rule, which the challenge's page shows. */
export function questionText(question: string): string {
  if (parseQuestion(question).asks === 'text') return question;
  const asked = question.replace(/\s*\[[^[\]]*\]\s*$/, '');
  const words = ruleOf(question) === null ? asked : asked.replace(/(?:^|\s+)settles-by:.*$/s, '');
  return words || question;
}

/** Null also for a malformed rule, which settles nothing. */
export function ruleOf(question: string): SettleRule | null {
  try {
    return parseSettleRule(question);
  } catch {
    return null;
  }
}
