import { type JudgedForecast, VOID } from '@svc/protocol/conventions';
import type { ChallengeDetail } from '@svc/contract';
import { Glyph } from './glyph.tsx';
import { safe, Unit } from './values.tsx';
import type { ShownOutcome } from '../questions.ts';
import { authorLink } from './author.tsx';

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
  const { outcome, unit, resolution_id: id, challenge_id: challengeId, self_resolved: isOwn } = result;
  if (outcome === null || id === null) return null;
  return (
    <p class="outcome">
      <Glyph name="pass" />{' '}
      <span>
        <a href={`/e/${id}`}>
          {outcome === VOID ? (
            'Resolved as void'
          ) : (
            <>
              Came true: <strong>{safe(unit === null ? outcome : `${outcome} ${unit}`)}</strong>
            </>
          )}
        </a>
        , resolved by {isOwn ? 'its author' : 'the creator of the challenge'}
        <Score result={result} />
        {challengeId !== null && (
          <>
            {' · '}
            <a href={`/ch/${challengeId}`}>All forecasts</a>
          </>
        )}
      </span>
    </p>
  );
}

type ScoreProps = { result: ForecastResult };

function Score({ result: { state, brier, quantile_loss: loss, unit } }: ScoreProps) {
  if (state === 'late') return <> · not scored, because it was attested too late</>;
  if (brier !== null) return <> · Brier score {brier.toFixed(2)}</>;
  if (loss === null) return null;
  return (
    <>
      {' '}
      · quantile loss {loss.toFixed(2)}
      <Unit of={unit} />
    </>
  );
}

type ResolveNoteProps = { challenge: ChallengeDetail; outcome: ShownOutcome; isCreator: boolean };

export function ResolveNote(props: ResolveNoteProps) {
  const {
    challenge: { id, creator, creator_id },
    outcome,
    isCreator,
  } = props;
  const who = authorLink(creator, creator_id);
  switch (outcome.state) {
    case 'open':
      return isCreator ? (
        <p class="actions">
          <a class="button" href={`/ch/${id}/resolve`}>
            Resolve it
          </a>
          <span class="quiet">The forecasters wait for the outcome.</span>
        </p>
      ) : (
        <p class="note">
          <span>Waiting for {who} to resolve.</span>
        </p>
      );
    case 'pending':
      return (
        <p class="note">
          <span>
            {who} <a href={`/e/${outcome.etchId}`}>resolved it</a>: {safe(outcome.outcome)}. The outcome
            counts once it is anchored.
          </span>
        </p>
      );
    case 'resolved':
    case 'void':
    case 'retracted':
      return null;
  }
}
