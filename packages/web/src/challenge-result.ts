import type { ChallengeCounts } from '@svc/contract';
import { parseQuestion, VOID } from '@svc/protocol/conventions';
import type { ShownOutcome } from './outcome.ts';
import { countText } from './parts/challenge-card.tsx';
import type { Said } from './said.ts';

/** `Resolved: yes · 15 answers, median 62 %`; undefined before. */
export function challengeResult(
  question: string,
  counts: ChallengeCounts,
  { outcome, said }: { outcome: ShownOutcome | undefined; said: Said | undefined },
): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  const asked = parseQuestion(question);
  const unit = asked.asks === 'number' ? ` ${asked.unit}` : '';
  const { outcome: value } = outcome.first;
  const resolved = value === VOID ? 'Resolved as void' : `Resolved: ${value}${unit}`;
  const answers = countText(counts.etches, 'answer');
  if (!said || said.kind === 'outcomes') return `${resolved} · ${answers}`;
  const median = said.middle.median.toLocaleString('en', { maximumFractionDigits: 2 });
  return `${resolved} · ${answers}, median ${median}${said.kind === 'chance' ? ' %' : unit}`;
}
