import type { ChallengeCounts, ChallengeDetail } from '@svc/contract';
import type { Standing } from './proven.ts';
import { timeText } from './time-text.ts';

/** What a stranger is told first about a challenge. */
export function challengeStanding(
  { closed, reveal_at: closesAt }: Pick<ChallengeDetail, 'closed' | 'reveal_at'>,
  counts: ChallengeCounts,
): Standing {
  const at = timeText(closesAt);
  const notProven = [
    'That these are all the answers: which challenge an etch answers is not in its hash.',
    `The question, its closing time, one answer an account, and that nobody ${closed ? 'looked' : 'looks'} before: this service’s word.`,
  ];
  const proven = [
    'What stands on the page of each answer, from the moment it is anchored: by when its hash existed, and that no other words have it.',
  ];
  if (!closed)
    return {
      glyph: 'sealed',
      tone: 'sealed',
      headline: `Answers are sealed until ${at}`,
      lead: 'Until then you see who answered and on which day, never what. An account answers once, and all answers open at the same moment.',
      provenTitle: 'Proven',
      proven,
      notProven,
    };
  return {
    glyph: 'revealed',
    tone: 'revealed',
    headline: closedHeadline(counts),
    lead: `${counts.etches > 0 ? `Answers were sealed until ${at}, and opened then${counts.retracted > 0 ? ' unless they were taken back' : ''}.` : `It closed ${at}.`}${retractions(counts)}`,
    provenTitle: 'Proven',
    proven,
    notProven,
  };
}

function closedHeadline({ etches, retracted }: ChallengeCounts): string {
  if (etches === 0) return 'Closed: nobody answered';
  if (retracted === 0) return 'Closed: every answer is open';
  return retracted === etches
    ? 'Closed: every answer was taken back'
    : 'Closed: every answer is open that was not taken back';
}

function retractions({ retracted }: ChallengeCounts): string {
  if (retracted === 0) return '';
  const counted = retracted === 1 ? '1 answer was' : `${retracted.toLocaleString('en')} answers were`;
  return ` ${counted} retracted: the place in this list stays.`;
}
