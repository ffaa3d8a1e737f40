import { countText } from './count-text.ts';
import type { ChallengeCounts } from '@svc/contract';
import { outcomeWords, type ShownOutcome, unitOf } from './outcome.ts';
import type { Said } from './said.ts';

/** `Resolved: yes · 15 answers, median 62 %` */
export function challengeResult(
  question: string,
  counts: ChallengeCounts,
  { outcome, said }: { outcome: ShownOutcome | undefined; said: Said | undefined },
): string | undefined {
  const resolved = outcomeWords(outcome, question);
  if (resolved === undefined) return undefined;
  const answers = countText(counts.etches, 'answer');
  if (!said || said.kind === 'outcomes') return `${resolved} · ${answers}`;
  const median = said.middle.median.toLocaleString('en', { maximumFractionDigits: 2 });
  return `${resolved} · ${answers}, median ${median}${said.kind === 'chance' ? ' %' : unitOf(question)}`;
}
