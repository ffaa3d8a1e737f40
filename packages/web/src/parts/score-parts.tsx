import type { ScoreSummary } from '@svc/contract';
import { FORECAST_STATES, type ForecastState, formatLevels } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { Calibration } from './calibration.tsx';
import { Facts } from './facts.tsx';
import { Text } from './text.tsx';

const STATES = FORECAST_STATES.filter((state) => state !== 'scored');

/** The state of a forecast in words. */
export const stateText = (state: ForecastState): string =>
  state === 'taken_down' ? 'taken down by the operator' : state;

/** The number of forecasts, and the states of those without a score. */
export const denominators = (counts: Record<ForecastState | 'forecasts', number>): string =>
  [
    `${countOf(counts.forecasts, 'forecast')}: ${counts.scored} scored`,
    ...STATES.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${stateText(state)}`),
  ].join(', ');

export const countOf = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

export const scoreText = (value: number): string => value.toFixed(4);

/** The result of several forecasts. */
export function Summary({ summary }: { summary: ScoreSummary }): VNode {
  const { brier, log, quantile_loss, murphy, discrimination, calibration } = summary;
  const shown = (label: string, { n, mean }: { n: number; mean: number | null }) =>
    mean !== null && { label, value: `${scoreText(mean)} over ${n}` };
  return (
    <>
      <Facts
        facts={[
          shown('Brier, yes and no', brier.binary),
          shown('Brier, more outcomes', brier.several),
          shown('Log score, yes and no', log.binary),
          shown('Log score, more outcomes', log.several),
          ...quantile_loss.map(
            ({ unit, levels, n, mean }) =>
              mean !== null && {
                label: `Quantile loss, ${formatLevels(levels)}`,
                value: (
                  <>
                    {scoreText(mean)} {unit !== null && <Text>{unit}</Text>} over {n}
                  </>
                ),
              },
          ),
          murphy.n > 0 && {
            label: 'Murphy’s parts',
            value: `reliability ${scoreText(murphy.reliability!)}, resolution ${scoreText(murphy.resolution!)}, uncertainty ${scoreText(murphy.uncertainty!)}`,
          },
          discrimination.difference !== null && {
            label: 'Discrimination',
            value: `${scoreText(discrimination.difference)} (${discrimination.yes.n} yes, ${discrimination.no.n} no)`,
          },
        ]}
      />
      <Calibration calibration={calibration} />
    </>
  );
}
