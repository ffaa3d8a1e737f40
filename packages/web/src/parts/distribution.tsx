import { distributionRows, figure, hasRanges } from '../distribution-rows.ts';
import type { AnswerDistribution } from '../answer-distribution.ts';
import { say } from './prose.tsx';
import { safe, Unit } from './values.tsx';
import { countText } from '../format.ts';
import { shownChance } from '../chance.ts';
import { type ShownOutcome, unitOf } from '../etch-text.ts';

type DistributionProps = {
  distribution: AnswerDistribution;
  outcome: ShownOutcome | undefined;
  question: string;
  /** the page begins with the sentence of the forecasts */
  isSaid?: boolean;
};

export function Distribution({ distribution, outcome, question, isSaid = false }: DistributionProps) {
  const { rows, came, marked } = distributionRows(distribution, outcome);
  const note = honesty(distribution);
  return (
    <section class="said" aria-labelledby="said">
      <h2 id="said">What was said</h2>
      <p>{summary(distribution, isSaid)}</p>
      {/* Not a picture: names of any length wrap, and the text grows with the text of the page. */}
      <table class="bars" aria-labelledby="said">
        {rows.map(({ name, share, text: value }, at) => (
          <tr {...(at === marked && { class: 'came-true' })}>
            <th scope="row">
              {at === marked && <span aria-hidden="true">✓ </span>}
              {safe(name)}
              {at === marked && ' ·\u00a0came true'}
            </th>
            <td>{value}</td>
            <td aria-hidden="true">
              <svg>
                <rect width={`${Math.max(share * 100, 0.5).toFixed(1)}%`} height="100%" />
              </svg>
            </td>
          </tr>
        ))}
      </table>
      {came !== null && marked < 0 && (
        <p>{say`${safe(`${came}${unitOf(question)}`)} came true, outside the chart.`}</p>
      )}
      {note !== '' && <p class="quiet">{note}</p>}
    </section>
  );
}

function summary(distribution: AnswerDistribution, isSaid: boolean) {
  if (distribution.kind === 'outcomes')
    return `The average chance of each outcome in ${countText(distribution.read, 'forecast')}.`;
  const { median, quartiles } = distribution.middle;
  const shown = distribution.kind === 'chance' ? (value: number) => shownChance(value * 10_000) : figure;
  const range = `${shown(quartiles[0])} to ${shown(quartiles[1])}`;
  const what = distribution.kind === 'chance' ? 'forecasts' : 'answers';
  // The quartiles of three answers are the lowest and the highest.
  const rest =
    distribution.read < 4 ? `The ${what} range from ${range}.` : `The middle half goes from ${range}.`;
  if (isSaid) return rest;
  return distribution.kind === 'chance'
    ? say`The middle forecast says **${shown(median)}** for yes. ${rest}`
    : say`The middle answer is **${figure(median)}${<Unit of={distribution.unit} />}**. ${rest}`;
}

function honesty(distribution: AnswerDistribution): string {
  const last = distribution.kind === 'chance' ? '; the last range includes 100 %' : '';
  const edges = hasRanges(distribution)
    ? `Each range includes its first value, but not its last${last}.`
    : '';
  const left = distribution.answers - distribution.read;
  if (left === 0) return edges;
  const what =
    distribution.kind === 'number'
      ? distribution.ofForecasts
        ? 'give a median (50 %)'
        : 'are numbers'
      : 'are forecasts that fit the question';
  const of = `${distribution.read.toLocaleString('en')} of ${countText(distribution.answers, 'public answer')} ${what}`;
  const rest = left === 1 ? 'one' : left.toLocaleString('en');
  return `${of}; the chart leaves out the other ${rest}. ${edges}`.trim();
}
