// The rows of the chart of a challenge's answers, for its page and its picture.
import { VOID } from '@svc/protocol/conventions';
import type { AnswerDistribution } from './answer-distribution.ts';
import { roundChance } from './chance.ts';
import type { ShownOutcome } from './etch-text.ts';
import { safeLine } from './safe-text.ts';

interface Row {
  name: string;
  /** A narrow column shows it: it has no unit, and is `no` or `yes` where the axis ends. */
  short?: string;
  share: number;
  text: string;
}

/** `marked`: the row of the outcome, or -1. A range of chances is no outcome, so `came` is null. */
export function distributionRows(distribution: AnswerDistribution, outcome: ShownOutcome | undefined) {
  const rows = rowsOf(distribution);
  const first = outcome && 'first' in outcome ? outcome.first.outcome : VOID;
  if (first === VOID || distribution.kind === 'chance') return { rows, came: null, marked: -1 };
  return { rows, came: first, marked: rowAt(distribution, first) };
}

function rowAt(distribution: Exclude<AnswerDistribution, { kind: 'chance' }>, outcome: string): number {
  if (distribution.kind === 'outcomes')
    return distribution.outcomes.findIndex(({ name }) => name === outcome);
  const value = Number(outcome);
  return distribution.bins.findIndex(
    ({ from, to }, at) =>
      value >= from && (value < to || (value === to && at === distribution.bins.length - 1)),
  );
}

function rowsOf(distribution: AnswerDistribution): Row[] {
  if (distribution.kind === 'outcomes')
    return distribution.outcomes.map(({ name, mean }) => ({
      name: safeLine(name),
      share: mean / 100,
      text: roundChance(mean * 10_000),
    }));
  const most = Math.max(...distribution.bins.map(({ count }) => count));
  return distribution.bins.map((bin) => ({
    ...namesOf(bin, distribution),
    share: bin.count / most,
    text: bin.count.toLocaleString('en'),
  }));
}

function namesOf(
  { from, to }: { from: number; to: number },
  distribution: Exclude<AnswerDistribution, { kind: 'outcomes' }>,
): Pick<Row, 'name' | 'short'> {
  const range = hasRanges(distribution) ? `${figure(from)} to ${figure(to)}` : figure(from);
  if (distribution.kind === 'number') {
    const { unit } = distribution;
    return unit === null ? { name: range } : { name: `${range} ${safeLine(unit)}`, short: range };
  }
  const end = from === 0 ? 'no' : to === 100 ? 'yes' : undefined;
  return end === undefined ? { name: `${range} %` } : { name: `${range} % (${end})`, short: end };
}

/** Begins the page of a closed challenge; undefined if the chart shows the same chance for two outcomes. */
export function forecastSentence(distribution: AnswerDistribution): string | undefined {
  if (distribution.kind === 'outcomes') {
    const [best, next] = distribution.outcomes.toSorted((a, b) => b.mean - a.mean);
    const shown = roundChance(best!.mean * 10_000);
    if (next && roundChance(next.mean * 10_000) === shown) return undefined;
    return `${safeLine(best!.name)} has the highest average chance: ${shown}.`;
  }
  const { median } = distribution.middle;
  if (distribution.kind === 'chance')
    return `The middle forecast says ${roundChance(median * 10_000)} for yes.`;
  const unit = distribution.unit === null ? '' : ` ${safeLine(distribution.unit)}`;
  return `The middle answer is ${figure(median)}${unit}.`;
}

/** False for single values: 14 to 15 counts as 14 only if no answer was 14.5. */
export const hasRanges = (distribution: AnswerDistribution): boolean =>
  distribution.kind === 'chance' ||
  (distribution.kind === 'number' &&
    !(distribution.isWhole && distribution.bins.every(({ from, to }) => to - from === 1)));

export const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });
