import type { AccountScore, ScoreSummary } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { FORECAST_STATES, type ForecastState, formatLevels } from '@svc/protocol/conventions';
import { shownChance } from '../chance.ts';
import { countText } from '../format.ts';
import { Figures } from './lists.tsx';
import { say } from './prose.tsx';
import { facts, safe, Unit } from './values.tsx';

const STATES = FORECAST_STATES.filter((state) => state !== 'scored');

const STATE_TEXTS: Readonly<Partial<Record<ForecastState, string>>> = {
  taken_down: 'taken down by the operator',
  sealed: 'still sealed',
  malformed: 'not readable as a forecast',
  pending: 'not anchored yet',
  unresolved: 'not resolved',
};

const stateText = (state: ForecastState): string => STATE_TEXTS[state] ?? state;

interface ForecastResult {
  state: ForecastState;
  brier: number | null;
  quantile_loss: number | null;
}

/** The score of a forecast, or why it has none. */
export const scoreOrReason = ({ state, brier, quantile_loss: loss }: ForecastResult): string =>
  state === 'scored' ? (brier ?? loss!).toFixed(2) : stateText(state);

/** Returns `4 forecasts: 3 scored, 1 still sealed`, and `4 forecasts scored` if all are. */
export const denominators = (counts: Record<ForecastState | 'forecasts', number>): string =>
  [
    `${countText(counts.forecasts, 'forecast')}${counts.scored === counts.forecasts ? '' : `: ${counts.scored}`} scored`,
    ...STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${stateText(state)}`),
  ].join(', ');

const scoreText = (value: number): string => value.toFixed(4);

export const auditNote = (of: string, data: string) => say`
  This service computed the scores from public records. ~svc score ${of}~ audits the records and computes the
  scores again. [As data](${data})
`;

/** Fewer forecasts would show chance. */
const FEWEST_IN_CHART = 10;

const LOSSES_SHOWN = 3;

/** The Brier score of a forecast that always says 50 %. */
const OF_CHANCE = '0.25';

/** Compares the shown figures, so that no score is better than an equal one. */
export function againstChance({ n, mean }: { n: number; mean: number | null }): string {
  if (n < FEWEST_IN_CHART) return `, where always saying 50 % scores ${OF_CHANCE}`;
  const shown = mean === null ? OF_CHANCE : mean.toFixed(2);
  const compared = shown < OF_CHANCE ? 'better than' : shown > OF_CHANCE ? 'worse than' : 'the same as';
  return `, ${compared} always saying 50 % (${OF_CHANCE})`;
}

/** One sentence for each kind of question. `over` returns which forecasts a mean covers. */
function averages(
  { brier: { binary, several }, quantile_loss: losses }: ScoreSummary,
  over: (n: number, kind: string) => string,
): ComponentChildren[] {
  const brier = ({ n, mean }: { n: number; mean: number | null }, kind: string, note = ''): string[] =>
    mean === null ? [] : [` Average Brier score ${mean.toFixed(2)}${over(n, kind)}${note}.`];
  return [
    ...brier(binary, 'of yes or no', againstChance(binary)),
    ...brier(several, 'with several outcomes'),
    ...losses
      .slice(0, LOSSES_SHOWN)
      .map(({ n, mean, unit }) => [
        ` Average quantile loss ${mean!.toFixed(2)}`,
        <Unit of={unit} />,
        `${over(n, 'of a number')}.`,
      ]),
    losses.length > LOSSES_SHOWN && ' “All measures” lists the other units.',
  ];
}

export const CalibrationOf = ({ summary: { calibration } }: { summary: ScoreSummary }) =>
  calibration.reduce((sum, { n }) => sum + n, 0) < FEWEST_IN_CHART ? null : (
    <Calibration calibration={calibration} />
  );

export function Measures({ summary }: { summary: ScoreSummary }) {
  const { brier, log, quantile_loss, murphy, discrimination } = summary;
  const over = ({ n, mean }: { n: number; mean: number | null }): string | null =>
    mean === null ? null : `${scoreText(mean)} over ${n}`;
  return facts(
    ['Brier, yes and no', over(brier.binary)],
    ['Brier, more outcomes', over(brier.several)],
    ['Log score, yes and no', over(log.binary)],
    ['Log score, more outcomes', over(log.several)],
    ...quantile_loss.map(
      ({ unit, levels, n, mean }) =>
        mean !== null &&
        ([
          `Quantile loss, ${formatLevels(levels)}`,
          say`${scoreText(mean)} ${unit !== null && safe(unit)} over ${n}`,
        ] as const),
    ),
    [
      'Murphy’s parts',
      murphy.n > 0 &&
        `reliability ${scoreText(murphy.reliability!)}, resolution ${scoreText(murphy.resolution!)}, uncertainty ${scoreText(murphy.uncertainty!)}`,
    ],
    [
      'Discrimination',
      discrimination.difference !== null &&
        `${scoreText(discrimination.difference)} (${discrimination.yes.n} yes, ${discrimination.no.n} no)`,
    ],
  );
}

const SIDE = 240;
const LEFT = 34;
const TOP = 10;
const x = (share: number): number => LEFT + share * SIDE;
const y = (share: number): number => TOP + (1 - share) * SIDE;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function Calibration({ calibration }: Pick<ScoreSummary, 'calibration'>) {
  const bins = calibration.filter(({ n }) => n > 0);
  if (bins.length === 0) return null;
  return (
    <div class="calibrated">
      <figure class="calibration">
        <svg
          viewBox={`0 0 ${LEFT + SIDE + 20} ${TOP + SIDE + 40}`}
          role="img"
          aria-label={bins
            .map((bin) => `said ${percent(bin.mean_forecast!)}: ${bin.yes} of ${bin.n} came true`)
            .join('; ')}
        >
          <rect x={LEFT} y={TOP} width={SIDE} height={SIDE} />
          <line class="ideal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
          {TICKS.map((tick) => (
            <g>
              <text x={x(tick)} y={TOP + SIDE + 15} text-anchor="middle">
                {percent(tick)}
              </text>
              <text x={LEFT - 4} y={y(tick) + 4} text-anchor="end">
                {Math.round(tick * 100)}
              </text>
            </g>
          ))}
          <text x={x(0.5)} y={TOP + SIDE + 32} text-anchor="middle">
            said
          </text>
          {bins.map(({ mean_forecast, observed, interval }) => (
            <g>
              <line
                x1={x(mean_forecast!)}
                y1={y(interval![0]!)}
                x2={x(mean_forecast!)}
                y2={y(interval![1]!)}
              />
              <circle cx={x(mean_forecast!)} cy={y(observed!)} r="5" />
            </g>
          ))}
        </svg>
        <figcaption>
          The vertical axis: how often it came true. On the dashed line, a forecast is well calibrated; the
          bar is the 95 % interval.
        </figcaption>
      </figure>
      <Figures caption="Forecasts and outcomes" heads={['Said', 'Forecasts', 'Came true', '95 %']}>
        {bins.map(({ mean_forecast, n, yes, observed, interval }) => (
          <tr>
            <td>{percent(mean_forecast!)}</td>
            <td>{n}</td>
            <td>
              {yes} ({percent(observed!)})
            </td>
            <td>
              {percent(interval![0]!)} to {percent(interval![1]!)}
            </td>
          </tr>
        ))}
      </Figures>
    </div>
  );
}

export type Scored<Score> = Score | { problem: string };

type ScoredForecast = AccountScore['forecasts'][number];

/**
 * Returns `yes 75 %` or `58 mm (50 to 70)`. If there are several outcomes, it returns the one that came true or the most
 * likely one.
 */
export function saidIn(
  { forecast, outcome }: Pick<ScoredForecast, 'forecast' | 'outcome'>,
  unit: string | null,
): ComponentChildren {
  if (forecast === null) return null;
  if (forecast.form === 'quantiles') {
    const [value, range] = rangeParts(forecast.quantiles);
    return [value, unit !== null && [' ', cellText(unit)], range];
  }
  const isNamed = ({ name }: { name: string }): boolean => name === outcome && outcome !== 'no';
  const [likely] = forecast.outcomes.toSorted((a, b) => b.millionths - a.millionths);
  const shown =
    forecast.outcomes.find(({ name }) => name === 'yes') ?? forecast.outcomes.find(isNamed) ?? likely!;
  return [cellText(shown.name), ' ', <span class="whole">{shownChance(shown.millionths)}</span>];
}

const outcomeIn = (outcome: string, unit: string | null): ComponentChildren =>
  /^-?[\d.]+$/.test(outcome) && unit !== null ? [outcome, ' ', cellText(unit)] : cellText(outcome);

const scoreIn = (one: ScoredForecast): ComponentChildren => [
  scoreOrReason(one),
  one.quantile_loss !== null && one.unit !== null && [' ', cellText(one.unit)],
];

/** Longer words break, so that four columns fit a narrow screen. */
const WHOLE_WORD = 8;

const cellText = (text: string) => (
  <span class={text.split(/\s/).every((word) => word.length <= WHOLE_WORD) ? 'whole' : undefined}>
    {safe(text)}
  </span>
);

type Quantiles = readonly { level: number; value: string }[];

/** The middle and the range, or all values of a question without a median. */
export function rangeText(quantiles: Quantiles, unit = ''): string {
  const [value, range] = rangeParts(quantiles);
  return value + unit + range;
}

/** The unit follows the first part. */
function rangeParts(quantiles: Quantiles): readonly [string, string] {
  const values = quantiles.map(({ value }) => value);
  const middle = quantiles.find(({ level }) => level === 50);
  return middle && values.length > 1
    ? [middle.value, ` (${values[0]} to ${values.at(-1)})`]
    : [values.join(' · '), ''];
}

export interface AskedForecast {
  /** the question, or the description of a forecast outside a challenge */
  title: string;
  /** null without a unit */
  unit: string | null;
}

/**
 * Returns `1 etch retracted, 2 sealed: some may be forecasts too.`, without the answers that count as forecasts, or
 * an empty string.
 */
export function othersText(counts: AccountScore['counts'], sealedEtches: number): string {
  const retracted = Math.max(0, counts.retractions - counts.retracted);
  const sealed = Math.max(0, sealedEtches - counts.sealed);
  const takenDown = Math.max(0, counts.takedowns - counts.taken_down);
  const all = retracted + sealed + takenDown;
  const parts = [
    retracted > 0 && `${countText(retracted, 'etch')} retracted`,
    sealed > 0 && `${sealed} sealed`,
    takenDown > 0 && `${takenDown} taken down by the operator`,
  ];
  return all === 0
    ? ''
    : `${parts.filter(Boolean).join(', ')}: ${all === 1 ? 'it may be a forecast' : 'some may be forecasts'} too.`;
}

interface TrackRecordProps {
  score: Scored<AccountScore>;
  /** number of sealed etches with blind seals, as in the head of the page */
  sealed: number;
  /** Maps the id of an etch to its question. */
  asked?: ReadonlyMap<string, AskedForecast> | undefined;
}

export function TrackRecord({ score, asked, sealed }: TrackRecordProps) {
  if ('problem' in score)
    return (
      <section class="track-record">
        <h2>Track record</h2>
        <p class="note">Not shown now: {score.problem}.</p>
      </section>
    );
  const { account, counts, scores, forecasts } = score;
  if (counts.forecasts === 0) return null;
  const overOthers = (n: number, kind: string) =>
    n === counts.scored ? '' : ` over ${countText(n, 'forecast')} ${kind}`;
  const overOwn = (n: number, kind: string) =>
    ` over ${countText(n, 'forecast')} ${kind} that the account itself resolved`;
  const scored = [
    { what: '', summary: scores.by_others, over: overOthers },
    { what: ', resolved by the account itself', summary: scores.self_resolved, over: overOwn },
  ].filter(({ summary }) => summary.n > 0);
  const others = othersText(counts, sealed);
  return (
    <section class="track-record">
      <h2>Track record</h2>
      <p>
        <b>{denominators(counts)}.</b>
        {scored.map(({ summary, over }) => averages(summary, over))}
        {scored.length > 0 && ' Lower is better.'}
        {others !== '' && ` ${others}`}
      </p>
      {scored.map(({ summary }) => (
        <CalibrationOf summary={summary} />
      ))}
      <Figures
        caption={
          forecasts.length < counts.forecasts ? `The latest ${forecasts.length} forecasts` : 'Each forecast'
        }
        heads={['Question', 'Said', 'Came true', 'Score']}
      >
        {forecasts.map((one) => (
          <tr>
            <th scope="row" class="name">
              <a href={`/e/${one.etch_id}`}>{safe(asked?.get(one.etch_id)?.title ?? 'A forecast')}</a>
            </th>
            <td>{saidIn(one, one.unit ?? asked?.get(one.etch_id)?.unit ?? null)}</td>
            <td>
              {one.outcome !== null && outcomeIn(one.outcome, one.unit)}
              {one.self_resolved && ' (self-resolved)'}
            </td>
            <td>{scoreIn(one)}</td>
          </tr>
        ))}
      </Figures>
      {scored.length > 0 && (
        <details>
          <summary>All measures</summary>
          {scored.map(({ what, summary }) => (
            <>
              <h3>
                {countText(summary.n, 'forecast')}
                {what}
              </h3>
              <Measures summary={summary} />
            </>
          ))}
          <p class="quiet">{auditNote(account.username, `/api/v1/users/${account.username}/score`)}</p>
        </details>
      )}
    </section>
  );
}
