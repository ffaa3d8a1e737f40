import type { ChallengeCounts, ChallengeDetail, ChallengeScore } from '@svc/contract';
import { VOID } from '@svc/protocol/conventions';
import type { ProofStatus } from './proof-status.ts';
import { countText, timeText } from './format.ts';
import { roundChance } from './chance.ts';
import { type ShownOutcome, unitOf } from './etch-text.ts';

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
      lead: 'Answers are sealed: you see who answered, never what. All of them open at the same moment.',
      provenTitle: 'Proven',
      proven,
      notProven,
    };
  return {
    glyph: 'revealed',
    tone: 'revealed',
    headline: result ?? closedHeadline(counts),
    lead:
      erasedOf(counts) > 0
        ? `Answers were sealed until the close, and opened then unless they were erased.${erasures(counts)}`
        : '',
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
  return ` ${facts.join(', and ')}: each keeps its place in this list.`;
}

const answersWere = (count: number): string =>
  count === 1 ? '1 answer was' : `${count.toLocaleString('en')} answers were`;

type Standing = ChallengeScore['standings'][number];
type Ranked = Pick<ChallengeScore, 'challenge' | 'resolution' | 'standings'>;

/** Names of closest forecasters in a sentence; more are counted. */
const NAMED = 2;

/** `Berlin. @dmitri was closest: 90 %.` Undefined without an outcome that counts. */
export function challengeResult(
  question: string,
  { outcome, score }: { outcome: ShownOutcome | undefined; score?: Ranked | undefined },
): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  const { outcome: value } = outcome.first;
  if (value === VOID) return 'Void: the question was not decided, so no forecast is scored.';
  const sentence = `${/^(yes|no)$/.test(value) ? capital(value) : value}${unitOf(question)}.`;
  const closest = score?.standings.filter(({ rank, state }) => rank === 1 && state === 'scored') ?? [];
  if (closest.length === 0) return sentence;
  const values = new Set(closest.map((one) => answerText(one, value, unitOf(question))));
  const [what] = values.size === 1 ? values : [];
  const were = closest.length === 1 ? 'was' : 'were';
  return `${sentence} ${namesOf(closest)} ${were} closest${what === undefined ? '' : `: ${what}`}.`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function namesOf(standings: readonly Standing[]): string {
  const named = standings.slice(0, NAMED).map(({ username }) => `@${username}`);
  const others = standings.length - named.length;
  return new Intl.ListFormat('en-GB').format(others > 0 ? [...named, countText(others, 'other')] : named);
}

/** The chance of what came true, or the median. */
function answerText({ forecast }: Standing, outcome: string, unit: string): string | undefined {
  if (forecast === null) return undefined;
  if (forecast.form === 'outcomes')
    return roundChance(forecast.outcomes.find(({ name }) => name === outcome)?.millionths ?? 0);
  const middle = forecast.quantiles.find(({ level }) => level === 50);
  return middle && `${middle.value}${unit}`;
}
