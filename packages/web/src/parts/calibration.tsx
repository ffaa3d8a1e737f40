import type { ScoreSummary } from '@svc/contract';
import { Figures } from './lists.tsx';

const SIDE = 240;
const LEFT = 34;
const TOP = 10;
const x = (share: number): number => LEFT + share * SIDE;
const y = (share: number): number => TOP + (1 - share) * SIDE;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function Calibration({ calibration }: Pick<ScoreSummary, 'calibration'>) {
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
      <Figures caption="Forecasts and outcomes" heads={['said', 'forecasts', 'came true', '95 %']}>
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
