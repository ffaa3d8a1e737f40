import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import type { ProofStatus } from './proof-status.ts';
import { countText, timeText } from './format.ts';
import type { AnswerDistribution } from './answer-distribution.ts';
import { outcomeWords, type ShownOutcome, unitOf } from './etch-text.ts';

export function challengeStatus(
  { closed, reveal_at: closesAt }: Pick<ChallengeDetail, 'closed' | 'reveal_at'>,
  counts: ChallengeCounts,
  result?: string,
): ProofStatus {
  const at = timeText(closesAt);
  const notProven = [
    'That these are all the answers: which challenge an etch answers is not in its hash.',
    `The question, its closing time, that an account answers once, and that nobody ${closed ? 'looked' : 'looks'} before: only this service says so.`,
  ];
  const proven = [
    'For each anchored answer: the time by which its hash existed, and that no other words have this hash.',
  ];
  if (!closed)
    return {
      glyph: 'sealed',
      tone: 'sealed',
      headline: `Open until ${at}`,
      lead: 'Answers are sealed: until then you see who answered and on which day, never what. All answers open at the same moment.',
      provenTitle: 'Proven',
      proven,
      notProven,
    };
  return {
    glyph: 'revealed',
    tone: 'revealed',
    headline: result ?? closedHeadline(counts),
    lead: `${counts.etches > 0 ? `Answers were sealed until ${at}, and opened then${erasedOf(counts) > 0 ? ' unless they were erased' : ''}.` : `It closed ${at}.`}${erasures(counts)}`,
    provenTitle: 'Proven',
    proven,
    notProven,
  };
}

function closedHeadline(counts: ChallengeCounts): string {
  if (counts.etches === 0) return 'Closed: nobody answered';
  const erased = erasedOf(counts);
  if (erased === 0) return 'Closed: every answer is open';
  const how = howErased(counts);
  return erased === counts.etches
    ? `Closed: every answer was ${how}`
    : `Closed: every answer is open that was not ${how}`;
}

const erasedOf = ({ retracted, taken_down = 0 }: ChallengeCounts): number => retracted + taken_down;

/** A takedown is not the author's retraction. */
function howErased({ retracted, taken_down }: ChallengeCounts): string {
  const how = retracted > 0 || taken_down === undefined ? ['retracted'] : [];
  return [...how, ...(taken_down === undefined ? [] : ['taken down'])].join(' or ');
}

function erasures({ retracted, taken_down = 0 }: ChallengeCounts): string {
  const facts = [
    ...(retracted > 0 ? [`${answersWere(retracted)} retracted`] : []),
    ...(taken_down > 0 ? [`${answersWere(taken_down)} taken down by the operator`] : []),
  ];
  return facts.length === 0 ? '' : ` ${facts.join(', and ')}: each keeps its place in this list.`;
}

const answersWere = (count: number): string =>
  count === 1 ? '1 answer was' : `${count.toLocaleString('en')} answers were`;

/** `Resolved: yes · 15 answers, median 62 %` */
export function challengeResult(
  question: string,
  counts: ChallengeCounts,
  {
    outcome,
    distribution,
  }: { outcome: ShownOutcome | undefined; distribution: AnswerDistribution | undefined },
): string | undefined {
  const resolved = outcomeWords(outcome, question);
  if (resolved === undefined) return undefined;
  const answers = countText(counts.etches, 'answer');
  if (!distribution || distribution.kind === 'outcomes') return `${resolved} · ${answers}`;
  const median = distribution.middle.median.toLocaleString('en', { maximumFractionDigits: 2 });
  return `${resolved} · ${answers}, median ${median}${distribution.kind === 'chance' ? ' %' : unitOf(question)}`;
}
