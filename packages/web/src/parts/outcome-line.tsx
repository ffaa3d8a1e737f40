import { type JudgedForecast, VOID } from '@svc/protocol/conventions';
import type { ChallengeDetail } from '@svc/contract';
import { authorLink } from './author.tsx';
import { say } from './prose.tsx';
import { safe, Unit } from './values.tsx';
import type { ShownOutcome } from '../etch-text.ts';
import { Glyph } from './tag.tsx';

export type ForecastResult = Pick<
  JudgedForecast,
  | 'challenge_id'
  | 'state'
  | 'outcome'
  | 'resolution_id'
  | 'self_resolved'
  | 'brier'
  | 'quantile_loss'
  | 'unit'
>;

export function OutcomeLine({ result }: { result: ForecastResult }) {
  const { outcome, unit, resolution_id: id, challenge_id: challenge, self_resolved: isOwn } = result;
  if (outcome === null || id === null) return null;
  const value = unit === null ? outcome : `${outcome} ${unit}`;
  return (
    <p class="outcome">
      <Glyph name="pass" />{' '}
      <span>
        <a href={`/e/${id}`}>{outcome === VOID ? 'Resolved as void' : say`Came true: **${safe(value)}**`}</a>,
        resolved by {isOwn ? 'its author' : 'the creator of the challenge'}
        {score(result)}
        {challenge !== null && say` · [All forecasts](/ch/${challenge})`}
      </span>
    </p>
  );
}

function score({ state, brier, quantile_loss: loss, unit }: ForecastResult) {
  if (state === 'late') return ' · not scored, because it was attested too late';
  if (brier !== null) return ` · Brier score ${brier.toFixed(2)}`;
  return loss !== null && [` · quantile loss ${loss.toFixed(2)}`, <Unit of={unit} />];
}

export function resolveNote(challenge: ChallengeDetail, outcome: ShownOutcome, isCreator: boolean) {
  const who = authorLink(challenge.creator, challenge.creator_id);
  if (outcome.state === 'pending')
    return (
      <p class="note">
        <span>
          {say`
            ${who} [resolved it](/e/${outcome.etchId}): ${safe(outcome.outcome)}. The outcome counts once it is
            anchored.
          `}
        </span>
      </p>
    );
  if (outcome.state !== 'open') return null;
  return isCreator ? (
    <p class="actions">
      <a class="button" href={`/ch/${challenge.id}/resolve`}>
        Resolve it
      </a>
      <span class="quiet">The forecasters wait for the outcome.</span>
    </p>
  ) : (
    <p class="note">
      <span>Waiting for {who} to resolve.</span>
    </p>
  );
}
