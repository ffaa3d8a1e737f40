import type { ChallengeCounts } from '@svc/contract';
import { parseQuestion } from '@svc/protocol/conventions';
import { outcomeWords, type ShownOutcome } from './outcome.ts';
import { countText } from './parts/challenge-card.tsx';
import type { Said } from './said.ts';

/** `Resolved: yes · 15 answers, median 62 %`; undefined without an outcome. */
export function challengeResult(
  question: string,
  counts: ChallengeCounts,
  { outcome, said }: { outcome: ShownOutcome | undefined; said: Said | undefined },
): string | undefined {
  const resolved = outcomeWords(outcome, question);
  if (resolved === undefined) return undefined;
  const asked = parseQuestion(question);
  const unit = asked.asks === 'number' ? ` ${asked.unit}` : '';
  const answers = countText(counts.etches, 'answer');
  if (!said || said.kind === 'outcomes') return `${resolved} · ${answers}`;
  const median = said.middle.median.toLocaleString('en', { maximumFractionDigits: 2 });
  return `${resolved} · ${answers}, median ${median}${said.kind === 'chance' ? ' %' : unit}`;
}
