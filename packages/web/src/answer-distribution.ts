import {
  type AnswerFormat,
  ConventionError,
  forecastMisfit,
  isYesNo,
  parseNumber,
  readWords,
} from '@svc/protocol/conventions';

interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Sums up the answers in the requested form. */
export type AnswerDistribution = { answers: number; read: number } & (
  | { kind: 'chance'; bins: Bin[]; middle: Middle }
  | {
      kind: 'number';
      unit: string | null;
      ofForecasts: boolean;
      isWhole: boolean;
      bins: Bin[];
      middle: Middle;
    }
  | { kind: 'outcomes'; outcomes: { name: string; mean: number }[] }
);

interface Middle {
  median: number;
  /** around the middle half */
  quartiles: [number, number];
}

/** A number, or percentages by outcome; null if unreadable. */
export type AnswerValue = number | readonly number[] | null;

/** Strict: words around a number are ambiguous. */
export function readAnswer(format: AnswerFormat, content: string): AnswerValue {
  if (format.asks === 'text') return plainNumber(content);
  const words = readWords(content);
  if (words.kind !== 'forecast' || forecastMisfit(words, format) !== null) return null;
  if (words.form === 'quantiles') {
    const middle = words.quantiles.find(({ level }) => level === 50);
    return middle ? Number(middle.value) : null;
  }
  if (format.asks === 'number') return null;
  const chances = format.outcomes.map((name) => {
    const outcome = words.outcomes.find((outcome) => outcome.name === name);
    return (outcome?.millionths ?? 0) / 10_000;
  });
  return isYesNo(format.outcomes) ? chances[format.outcomes.indexOf('yes')]! : chances;
}

function plainNumber(content: string): number | null {
  const text = content.trim();
  try {
    parseNumber(text);
    return Number(text);
  } catch (error) {
    if (error instanceof ConventionError) return null;
    throw error;
  }
}

const FEWEST = 3;

/** Undefined: too few answers, or a text question with some numbers. */
export function distributionOf(
  format: AnswerFormat,
  readings: readonly AnswerValue[],
): AnswerDistribution | undefined {
  const read = readings.filter((reading) => reading !== null);
  const counts = { answers: readings.length, read: read.length };
  if (read.length < FEWEST || (format.asks === 'text' && read.length * 2 < readings.length)) return undefined;
  if (format.asks === 'outcomes' && !isYesNo(format.outcomes)) {
    const chances = read as (readonly number[])[];
    const outcomes = format.outcomes.map((name, at) => ({
      name,
      mean: chances.reduce((sum, one) => sum + one[at]!, 0) / chances.length,
    }));
    return { ...counts, kind: 'outcomes', outcomes };
  }
  const values = (read as number[]).toSorted((a, b) => a - b);
  const middle = middleOf(values);
  if (format.asks === 'outcomes')
    return {
      ...counts,
      kind: 'chance',
      bins: binned(values, { from: 0, step: 10, count: 10 }),
      middle,
    };
  return {
    ...counts,
    kind: 'number',
    unit: format.asks === 'number' ? format.unit : null,
    ofForecasts: format.asks === 'number',
    isWhole: values.every(Number.isInteger),
    bins: binned(values, scaleOf(values)),
    middle,
  };
}

function middleOf(sorted: readonly number[]): Middle {
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]!;
  const half = sorted.length / 2;
  const median = Number.isInteger(half) ? (sorted[half - 1]! + sorted[half]!) / 2 : at(0.5);
  return { median, quartiles: [at(0.25), at(0.75)] };
}

interface Scale {
  from: number;
  step: number;
  count: number;
}

const MOST_BINS = 10;

function scaleOf(sorted: readonly number[]): Scale {
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const rough = (most - least) / (MOST_BINS - 1);
  if (rough === 0) return { from: least, step: 1, count: 1 };
  const power = 10 ** Math.floor(Math.log10(rough));
  const wanted = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough)!;
  const step = sorted.every(Number.isInteger) ? Math.max(1, wanted) : wanted;
  const from = Math.floor(least / step) * step;
  return { from, step, count: Math.max(1, Math.floor((most - from) / step) + 1) };
}

function binned(values: readonly number[], { from, step, count }: Scale): Bin[] {
  const edge = (at: number): number => Number((from + at * step).toPrecision(12));
  const bins = Array.from({ length: count }, (_, at) => ({ from: edge(at), to: edge(at + 1), count: 0 }));
  for (const value of values)
    bins[Math.min(count - 1, Math.max(0, Math.floor((value - from) / step)))]!.count++;
  return bins;
}
