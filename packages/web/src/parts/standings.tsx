import type { ChallengeDetail, ChallengeScore } from '@svc/contract';
import { type JudgedForecast, settledBy, VOID } from '@svc/protocol/conventions';
import { chanceText, outcomeValue, ruleOf, type ShownOutcome, unitOf } from '../etch-text.ts';
import { countText } from '../format.ts';
import { authorLink, NameAndHandle } from './author.tsx';
import { Figures } from './lists.tsx';
import { say } from './prose.tsx';
import {
  auditNote,
  CalibrationOf,
  denominators,
  Measures,
  type Scored,
  scoreText,
  stateText,
} from './score-parts.tsx';
import { Glyph } from './tag.tsx';
import { atTime, safe, Unit } from './values.tsx';

type Standing = ChallengeScore['standings'][number];
type Resolution = NonNullable<ChallengeScore['resolution']['first']>;

type StandingsProps = { score: Scored<ChallengeScore>; names?: ReadonlyMap<string, string> | undefined };

export function Standings({ score, names = new Map() }: StandingsProps) {
  if ('problem' in score)
    return (
      <section class="standings">
        <h2>Standings</h2>
        <p class="note">Not shown now: {score.problem}.</p>
      </section>
    );
  const { challenge, resolution, counts, scores, standings, page } = score;
  const { state, first, reason, corrections, corrections_total, taken_down, taken_down_total } = resolution;
  const unit = unitOf(challenge.question);
  return (
    <section class="standings">
      <h2>Standings</h2>
      {first === null ? (
        <p class="note">Unresolved: {reason}.</p>
      ) : (
        <>
          <p>
            {state === 'void'
              ? say`**Void**`
              : say`**Resolved: **${<strong>{safe(outcomeValue(first.outcome, unit))}</strong>}`}{' '}
            {resolutionText(first)}
          </p>
          <p>{settledText(challenge, first.source)}</p>
        </>
      )}
      {corrections_total > 0 && (
        <>
          <p>
            {first === null ? 'Said about it' : 'Corrections'}; they change nothing ({corrections_total}):
          </p>
          <ul>
            {corrections.map((one) => (
              <li>{say`${safe(outcomeValue(one.outcome, unit))} ${resolutionText(one)}`}</li>
            ))}
          </ul>
        </>
      )}
      {taken_down_total > 0 && (
        <>
          <p>Resolutions that the operator took down, which do not count ({taken_down_total}):</p>
          <ul>
            {taken_down.map(({ etch_id, attested_at }) => (
              <li>{say`[attested](/e/${etch_id}) ${atTime(attested_at)}`}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        {denominators(counts)}; {countText(counts.retractions, 'retraction')} by these accounts in all their
        etches
        {counts.takedowns > 0 && `, and ${counts.takedowns} of their etches taken down by the operator`}.
        {scores.n > 0 && ' Lower scores are better.'}
      </p>
      {standings.length > 0 &&
        (counts.scored > 0 ? (
          ranks(score, names)
        ) : (
          <details>
            <summary>Who made them</summary>
            {ranks(score, names)}
          </details>
        ))}
      {scores.n > 0 && (
        <details>
          <summary>Scores of all forecasts together</summary>
          <Measures summary={scores} />
          <CalibrationOf summary={scores} />
        </details>
      )}
      <p class="quiet">
        {page.total > standings.length && `The best ${standings.length} of ${page.total}. `}
        {auditNote(challenge.id, `/api/v1/challenges/${challenge.id}/score`)}
      </p>
    </section>
  );
}

/** The rule in the question or the creator's word settles; only the command evaluates the rule. */
function settledText({ id, question }: ChallengeScore['challenge'], source: string) {
  const url = ruleOf(question)?.url ?? null;
  if (url !== null && source === `sha256:${settledBy(source)} ${url}`)
    return say`
      Settled by rule, document kept, as the creator says. ~svc settle --check ${id}~ checks it.
    `;
  return `Settled by the creator’s word${url === null ? '' : ', although the question has a rule'}.`;
}

function ranks({ standings, scores }: ChallengeScore, names: ReadonlyMap<string, string>) {
  const [loss] = scores.quantile_loss;
  // The levels are those of the question.
  const levels =
    standings.find(({ forecast }) => forecast)?.forecast?.quantiles.map(({ level }) => level) ?? [];
  const unit = loss && loss.unit !== null && say`, ${safe(loss.unit)}`;
  return (
    <Figures
      heads={[
        'rank',
        'name',
        levels.length > 0 ? `answer (${levels.join(', ')} %)` : 'answer',
        [loss ? 'quantile loss' : 'Brier score', unit],
        'proof',
      ]}
    >
      {standings.map((one) => (
        <tr>
          <td>{one.rank ?? '–'}</td>
          <td class="name">
            <a href={`/u/${one.username}`}>
              <NameAndHandle
                of={{ username: one.username, display_name: names.get(one.username) ?? one.username }}
              />
            </a>
            {one.self_resolved && ' (resolved it themselves)'}
          </td>
          {one.forecast ? <Answer forecast={one.forecast} /> : <td />}
          <td>
            {one.state === 'scored' ? scoreText(one.brier ?? one.quantile_loss!) : stateText(one.state)}
          </td>
          <td>
            <a href={`/e/${one.etch_id}`}>
              proof<span class="visually-hidden"> of the answer by @{one.username}</span>
            </a>
          </td>
        </tr>
      ))}
    </Figures>
  );
}

/** Characters that fit next to the other columns of a small phone. */
const ONE_LINE = 17;

function Answer({ forecast }: { forecast: NonNullable<Standing['forecast']> }) {
  const yes = forecast.outcomes.find(({ name }) => name === 'yes');
  const parts =
    forecast.form === 'quantiles'
      ? forecast.quantiles.map(({ value }) => value)
      : yes && forecast.outcomes.length === 2
        ? [chanceText(yes.millionths)]
        : forecast.outcomes.map(({ name, millionths }) => `${name} ${chanceText(millionths)}`);
  const text = parts.join(' · ');
  return <td class={text.length <= ONE_LINE ? 'one-line' : undefined}>{safe(text)}</td>;
}

const resolutionText = ({ etch_id, username, source, attested_at }: Resolution) => say`
  by [@${username}](/u/${username}), [attested](/e/${etch_id}) ${atTime(attested_at)}. Source: ${safe(source)}
`;

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
