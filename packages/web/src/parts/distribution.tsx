import { VOID } from '@svc/protocol/conventions';
import { cut, inertLine } from '../inert.ts';
import type { Said } from '../said.ts';
import { say } from './prose.tsx';
import { safe, Unit } from './values.tsx';
import { countText } from '../format.ts';
import { outcomeWords, type ShownOutcome } from '../etch-text.ts';

const WIDTH = 360;
const ROW = 26;
const NAMES = 118;
const MOST = 190;

interface Row {
  name: string;
  share: number;
  said: string;
}

type DistributionProps = { said: Said; outcome: ShownOutcome | undefined; question: string };

export function Distribution({ said, outcome, question }: DistributionProps) {
  const rows = rowsOf(said);
  const resolved = outcomeWords(outcome, question);
  const marked = outcome && 'first' in outcome ? rowAt(said, outcome.first.outcome) : -1;
  return (
    <section class="said" aria-labelledby="said">
      <h2 id="said">What was said</h2>
      <p>{summary(said)}</p>
      <svg
        viewBox={`0 0 ${WIDTH} ${rows.length * ROW}`}
        role="img"
        aria-label={rows
          .map(({ name, said: value }, at) => `${name}: ${value}${at === marked ? ' (the outcome)' : ''}`)
          .join('; ')}
      >
        {rows.map(({ name, share, said: value }, at) => (
          <g transform={`translate(0 ${at * ROW})`} {...(at === marked && { class: 'came-true' })}>
            <text x={NAMES - 8} y={17} text-anchor="end">
              {at === marked && '✓ '}
              {cut(name, at === marked ? 15 : 17)}
            </text>
            <rect x={NAMES} y={4} width={Math.max(share * MOST, 1).toFixed(1)} height={ROW - 8} />
            <text x={NAMES + share * MOST + 7} y={17}>
              {value}
            </text>
          </g>
        ))}
      </svg>
      {resolved !== undefined && (
        <p class="came-true">
          {marked >= 0 && '✓ '}
          <strong>{safe(resolved)}</strong>
          {marked < 0 && said.kind === 'number' && ', outside the picture'}
        </p>
      )}
      <p class="quiet">{honesty(said)}</p>
    </section>
  );
}

function rowAt(said: Said, outcome: string): number {
  if (outcome === VOID) return -1;
  if (said.kind === 'outcomes') return said.outcomes.findIndex(({ name }) => name === outcome);
  if (said.kind === 'chance') return outcome === 'yes' ? said.bins.length - 1 : 0;
  const value = Number(outcome);
  return said.bins.findIndex(
    ({ from, to }, at) => value >= from && (value < to || (value === to && at === said.bins.length - 1)),
  );
}

function rowsOf(said: Said): Row[] {
  if (said.kind === 'outcomes')
    return said.outcomes.map(({ name, mean }) => ({
      name: inertLine(name),
      share: mean / 100,
      said: `${figure(mean)} %`,
    }));
  const most = Math.max(...said.bins.map(({ count }) => count));
  // 14 to 15 counts as 14 only if no answer was 14.5.
  const isOne = said.kind === 'number' && said.isWhole && said.bins.every(({ from, to }) => to - from === 1);
  const suffix = said.kind === 'chance' ? ' %' : '';
  return said.bins.map(({ from, to, count }) => ({
    name: isOne ? figure(from) : `${figure(from)} to ${figure(to)}${suffix}`,
    share: count / most,
    said: count.toLocaleString('en'),
  }));
}

function summary(said: Said) {
  if (said.kind === 'outcomes')
    return `The average chance of each outcome in ${countText(said.read, 'forecast')}.`;
  const { median, quartiles } = said.middle;
  const unit = said.kind === 'chance' ? ' %' : '';
  const rest = `The middle half goes from ${figure(quartiles[0])}${unit} to ${figure(quartiles[1])}${unit}.`;
  return said.kind === 'chance'
    ? say`Half of the forecasts say **${figure(median)} %** or more for yes. ${rest}`
    : say`The middle answer is **${figure(median)}${<Unit of={said.unit} />}**. ${rest}`;
}

function honesty(said: Said): string {
  const left = said.answers - said.read;
  const what =
    said.kind === 'number'
      ? said.ofForecasts
        ? 'give a median (50 %)'
        : 'are only a number'
      : 'are forecasts that fit the question';
  const of = `${said.read.toLocaleString('en')} of ${countText(said.answers, 'public answer')} ${what}`;
  const rest =
    left === 0 ? '' : `; the other ${left === 1 ? 'one is' : `${left.toLocaleString('en')} are`} left out`;
  const edges = said.kind === 'outcomes' ? '' : ' Each range includes its first value, but not its last.';
  return `${of}${rest}.${edges} Each answer counts once, right or wrong.`;
}

const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });
