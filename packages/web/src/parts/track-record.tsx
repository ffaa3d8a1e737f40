import type { AccountScore } from '@svc/contract';
import {
  auditNote,
  denominators,
  Measures,
  CalibrationOf,
  scoreText,
  ScoreWords,
  stateText,
} from './score-parts.tsx';
import { safe, atTime } from './values.tsx';
import { countText } from '../format.ts';
import { Figures } from './lists.tsx';

export type Scored<Score> = Score | { problem: string };

export function TrackRecord({ score }: { score: Scored<AccountScore> }) {
  if ('problem' in score)
    return (
      <section class="track-record">
        <h2>Track record</h2>
        <p class="note">Not shown now: {score.problem}.</p>
      </section>
    );
  const { account, counts, scores, forecasts } = score;
  if (counts.forecasts === 0) return null;
  const sets = [
    ['', scores.by_others],
    [', resolved by the account itself', scores.self_resolved],
  ] as const;
  const scored = sets.filter(([, { n }]) => n > 0);
  return (
    <section class="track-record">
      <h2>Track record</h2>
      {scored.map(([what, summary]) => (
        <>
          <ScoreWords summary={summary} what={what} />
          <CalibrationOf summary={summary} />
        </>
      ))}
      <p>
        {denominators(counts)}. Not scored: {countText(counts.retractions, 'retraction')},{' '}
        {counts.sealed_etches} sealed
        {counts.takedowns > 0 && ` and ${counts.takedowns} taken down by the operator`}; any of these may be
        or have been a forecast.
      </p>
      {scored.length > 0 && (
        <details>
          <summary>All measures</summary>
          {scored.map(([what, summary]) => (
            <>
              <h3>
                {countText(summary.n, 'forecast')}
                {what}
              </h3>
              <Measures summary={summary} />
            </>
          ))}
        </details>
      )}
      <details>
        <summary>
          {forecasts.length < counts.forecasts ? `The latest ${forecasts.length} forecasts` : 'Each forecast'}
        </summary>
        <Figures heads={['attested', 'score', 'came true']}>
          {forecasts.map(({ etch_id, attested_at, state, brier, quantile_loss, outcome, self_resolved }) => (
            <tr>
              <td>
                <a href={`/e/${etch_id}`}>{attested_at === null ? 'not yet' : atTime(attested_at)}</a>
              </td>
              <td>{state === 'scored' ? scoreText(brier ?? quantile_loss!) : stateText(state)}</td>
              <td>
                {outcome !== null && safe(outcome)}
                {self_resolved && ' (self-resolved)'}
              </td>
            </tr>
          ))}
        </Figures>
      </details>
      <p class="quiet">{auditNote(account.username, `/api/v1/users/${account.username}/score`)}</p>
    </section>
  );
}
