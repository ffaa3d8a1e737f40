import { SCORES } from './forecast-scores.ts';
import { csvLine, type Format, markdown, table } from './print-check.ts';
import type { HubScore } from './score.ts';

const HEADS = [
  'WIS',
  'dispersion',
  'overprediction',
  'underprediction',
  'cover 50 %',
  'cover 95 %',
  'AE median',
  'log score',
];

export function scoreWords(score: HubScore, format: Format): string[] {
  const shown = format === 'csv' ? String : short;
  const head = [...score.by, 'forecasts', ...HEADS, 'relative skill'];
  const rows = score.rows.map(({ of, forecasts, scores, relativeSkill }) => [
    ...of,
    String(forecasts),
    ...SCORES.map((name) => shown(scores[name].mean ?? '')),
    shown(relativeSkill ?? ''),
  ]);
  if (format === 'csv') return [head, ...rows].map(csvLine);
  const words = [...(format === 'markdown' ? markdown : table)(head, rows), '', ...countWords(score)];
  return words;
}

const short = (value: number | ''): string => (value === '' ? '' : value.toFixed(4));

function countWords({ scoredFiles, notScored, withoutOutcome }: HubScore): string[] {
  const others = Object.entries(notScored).map(([state, count]) => `${count} ${state}`);
  return [
    `${scoredFiles} ${scoredFiles === 1 ? 'file' : 'files'} proven on time and scored; not scored: ${others.join(', ') || 'none'}`,
    `${withoutOutcome} ${withoutOutcome === 1 ? 'forecast' : 'forecasts'} without an outcome in the target data`,
  ];
}

/** Means that are infinite are texts, because JSON has no infinity. */
export function scoreJson({ rows, ...rest }: HubScore): object {
  const value = (number: number | null) => (number === Infinity ? 'Infinity' : number);
  return {
    ...rest,
    rows: rows.map(({ of, forecasts, scores, relativeSkill }) => ({
      ...Object.fromEntries(rest.by.map((name, at) => [name, of[at]])),
      forecasts,
      ...Object.fromEntries(
        SCORES.map((name) => [snake(name), { n: scores[name].n, mean: value(scores[name].mean) }]),
      ),
      relative_skill: relativeSkill,
    })),
  };
}

const snake = (name: string): string =>
  name.replace(/([A-Z]|(?<=[a-z])\d+)/g, (part) => `_${part.toLowerCase()}`);
