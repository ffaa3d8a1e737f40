import type { ScoreSummary } from '@svc/contract';
import { FORECAST_STATES, type ForecastState, formatLevels } from '@svc/protocol/conventions';
import { Calibration } from './calibration.tsx';
import { Fact, Facts, Text, Unit } from './values.tsx';
import { countText } from '../format.ts';

const STATES = FORECAST_STATES.filter((state) => state !== 'scored');

export const stateText = (state: ForecastState): string =>
  state === 'taken_down' ? 'taken down by the operator' : state;

export const denominators = (counts: Record<ForecastState | 'forecasts', number>): string =>
  [
    `${countText(counts.forecasts, 'forecast')}: ${counts.scored} scored`,
    ...STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${stateText(state)}`),
  ].join(', ');

export const scoreText = (value: number): string => value.toFixed(4);

/** Fewer forecasts would show chance. */
const FEWEST_IN_CHART = 10;

export function ScoreWords({ summary, what = '' }: { summary: ScoreSummary; what?: string }) {
  const { n, brier, quantile_loss } = summary;
  const over = (of: number): string => (of === n ? '' : ` over ${of} of them`);
  const [loss] = quantile_loss;
  return (
    <p class="score-words">
      <strong>
        {countText(n, 'forecast')} scored{what}.
      </strong>{' '}
      {brier.binary.mean !== null ? (
        `Average Brier score ${brier.binary.mean.toFixed(2)}${over(brier.binary.n)} (always saying 50 % scores 0.25).`
      ) : brier.several.mean !== null ? (
        `Average Brier score ${brier.several.mean.toFixed(2)}${over(brier.several.n)}.`
      ) : loss && loss.mean !== null ? (
        <>
          Average quantile loss {loss.mean.toFixed(2)}
          <Unit of={loss.unit} />
          {over(loss.n)}.
        </>
      ) : null}{' '}
      Lower is better.
    </p>
  );
}

export const CalibrationOf = ({ summary: { calibration } }: { summary: ScoreSummary }) =>
  calibration.reduce((sum, { n }) => sum + n, 0) < FEWEST_IN_CHART ? null : (
    <Calibration calibration={calibration} />
  );

export function Measures({ summary }: { summary: ScoreSummary }) {
  const { brier, log, quantile_loss, murphy, discrimination } = summary;
  const over = ({ n, mean }: { n: number; mean: number | null }): string | null =>
    mean === null ? null : `${scoreText(mean)} over ${n}`;
  return (
    <Facts>
      <Fact label="Brier, yes and no" value={over(brier.binary)} />
      <Fact label="Brier, more outcomes" value={over(brier.several)} />
      <Fact label="Log score, yes and no" value={over(log.binary)} />
      <Fact label="Log score, more outcomes" value={over(log.several)} />
      {quantile_loss.map(
        ({ unit, levels, n, mean }) =>
          mean !== null && (
            <Fact label={`Quantile loss, ${formatLevels(levels)}`}>
              {scoreText(mean)} {unit !== null && <Text>{unit}</Text>} over {n}
            </Fact>
          ),
      )}
      {murphy.n > 0 && (
        <Fact label="Murphy’s parts">
          reliability {scoreText(murphy.reliability!)}, resolution {scoreText(murphy.resolution!)},
          uncertainty {scoreText(murphy.uncertainty!)}
        </Fact>
      )}
      {discrimination.difference !== null && (
        <Fact label="Discrimination">
          {scoreText(discrimination.difference)} ({discrimination.yes.n} yes, {discrimination.no.n} no)
        </Fact>
      )}
    </Facts>
  );
}
