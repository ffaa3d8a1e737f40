import type { ChallengeCounts, ChallengeDetail, ChallengeScore } from '@svc/contract';
import { VOID } from '@svc/protocol/conventions';
import { type ProofStatus, trustIn } from './proof-status.ts';
import { countText, timeText } from './format.ts';
import { roundChance, WHOLE } from './chance.ts';
import { type ShownOutcome, stateTone, stateWords, unitOf } from './etch-text.ts';

export function challengeStatus(
  challenge: Pick<ChallengeDetail, 'closed' | 'reveal_at' | 'question'>,
  counts: ChallengeCounts,
  { result, said, devnet }: { result?: string | undefined; said?: string | undefined; devnet: boolean },
): ProofStatus {
  const { closed, reveal_at: closesAt } = challenge;
  const at = timeText(closesAt);
  const notProven = [
    'That these are all the answers: which challenge an etch answers is not in its hash.',
    `The question, its closing time, that an account answers once, and that nobody ${closed ? 'looked' : 'looks'} before: only this service says so.`,
  ];
  const proven = [
    'For each anchored answer: the time by which its hash existed, and that no other words have this hash.',
  ];
  const evidence = { ...trustIn(devnet), proven, notProven };
  if (!closed)
    return {
      glyph: 'sealed',
      tone: 'sealed',
      headline: `Open until ${at}`,
      lead: '',
      ...evidence,
    };
  const tone = result === undefined ? stateTone(challenge, undefined) : 'revealed';
  return {
    glyph: tone,
    tone,
    headline: wholePercent(result ?? said ?? closedHeadline(stateWords(challenge, undefined), counts)),
    lead: [opened(counts, at), erasures(counts)].filter(Boolean).join(' '),
    ...evidence,
  };
}

/** No line ends before the sign. */
const wholePercent = (sentence: string): string => sentence.replaceAll(' %', '\u00a0%');

const opened = ({ revealed }: ChallengeCounts, at: string): string =>
  revealed === 0 ? '' : `${countText(revealed, 'answer')} opened on ${at}.`;

function closedHeadline(state: string, counts: ChallengeCounts): string {
  if (counts.etches === 0) return `${state}: no answers`;
  return erasedOf(counts) === counts.etches ? `${state}: every answer was ${howErased(counts)}` : state;
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
  return facts.length === 0 ? '' : `${facts.join(', and ')}: each keeps its place in this list.`;
}

const answersWere = (count: number): string =>
  count === 1 ? '1 answer was' : `${count.toLocaleString('en')} answers were`;

type Standing = ChallengeScore['standings'][number];
type Ranked = Pick<ChallengeScore, 'challenge' | 'resolution' | 'counts' | 'standings'>;

/** Names of the best forecasters in a sentence; more are counted. */
const NAMED = 2;

/**
 * `Berlin. @dmitri was closest: 90 %.`, `No. @mira was closest: 65 % for no.`, or `Berlin. @dmitri had the best score
 * with 45 %.` if another forecast was closer. Undefined without an outcome that counts.
 */
export function challengeResult(
  question: string,
  { outcome, score }: { outcome: ShownOutcome | undefined; score?: Ranked | undefined },
): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  const { outcome: value } = outcome.first;
  if (value === VOID) return 'Void: the question was not decided, so no forecast is scored.';
  const sentence = `${/^(yes|no)$/.test(value) ? capital(value) : value}${unitOf(question)}.`;
  const best = score?.standings.filter(({ rank, state }) => rank === 1 && state === 'scored') ?? [];
  if (!score || best.length === 0) return sentence;
  const values = new Set(best.map((one) => answerText(one, value, unitOf(question))));
  const [what] = values.size === 1 ? values : [];
  if (!areClosest(best, score, value))
    return `${sentence} ${namesOf(best)} had the best score${what === undefined ? '' : ` with ${what}`}.`;
  const were = best.length === 1 ? 'was' : 'were';
  return `${sentence} ${namesOf(best)} ${were} closest${what === undefined ? '' : `: ${what}`}.`;
}

/**
 * A score counts every outcome or level: 45 % for Berlin and 27.5 % for two other cities beats 50 % for Berlin and
 * for one other. If not all scored forecasts are listed, one of the others may be closer.
 */
function areClosest(best: readonly Standing[], { counts, standings }: Ranked, outcome: string): boolean {
  const scored = standings.filter(({ state }) => state === 'scored');
  const least = Math.min(...scored.map((one) => distanceOf(one, outcome)));
  const isWhole = scored.length >= counts.scored || best.every(isBinary);
  return isWhole && best.every((one) => distanceOf(one, outcome) <= least);
}

/** The score of two chances depends on one of them alone. */
const isBinary = ({ forecast }: Standing): boolean =>
  forecast?.form === 'outcomes' && forecast.outcomes.length === 2;

/** Returns what the chance of the outcome lacks to 100 %, or the distance of the median. 0 without a median. */
function distanceOf({ forecast }: Standing, outcome: string): number {
  if (forecast?.form === 'outcomes') return WHOLE - chanceOf(forecast, outcome);
  const middle = middleOf(forecast);
  return middle === undefined ? 0 : Math.abs(Number(middle) - Number(outcome));
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
    // Pages show the chance of yes elsewhere.
    return `${roundChance(chanceOf(forecast, outcome))}${outcome === 'no' ? ' for no' : ''}`;
  const middle = middleOf(forecast);
  return middle && `${middle}${unit}`;
}

const chanceOf = ({ outcomes }: NonNullable<Standing['forecast']>, outcome: string): number =>
  outcomes.find(({ name }) => name === outcome)?.millionths ?? 0;

const middleOf = (forecast: Standing['forecast']): string | undefined =>
  forecast?.form === 'quantiles' ? forecast.quantiles.find(({ level }) => level === 50)?.value : undefined;
