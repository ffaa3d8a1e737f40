import type { ChallengeDetail, ChallengeScore } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { type JudgedForecast, parseQuestion, settledBy, VOID } from '@svc/protocol/conventions';
import {
  outcomeValue,
  resolvedWords,
  ruleOf,
  type ShownOutcome,
  type ShownResolution,
  unitOf,
} from '../etch-text.ts';
import { percentText, shownChance } from '../chance.ts';
import { countText } from '../format.ts';
import { authorLink, NameAndHandle } from './author.tsx';
import { Figures } from './lists.tsx';
import { say } from './prose.tsx';
import {
  auditNote,
  CalibrationOf,
  denominators,
  Measures,
  rangeText,
  type Scored,
  scoreOrReason,
} from './score-parts.tsx';
import { atTime, safe, sourceLink, Unit } from './values.tsx';

type Standing = ChallengeScore['standings'][number];
type Resolution = NonNullable<ChallengeScore['resolution']['first']>;

type StandingsProps = {
  score: Scored<ChallengeScore>;
  names?: ReadonlyMap<string, string> | undefined;
  /** username of the reader */
  viewer?: string | undefined;
};

export function Standings({ score, names = new Map(), viewer }: StandingsProps) {
  if ('problem' in score)
    return (
      <section class="standings">
        <h2>Standings</h2>
        <p class="note">Not shown now: {score.problem}.</p>
      </section>
    );
  const { challenge, resolution, counts, scores, standings, page } = score;
  const { first, reason, corrections, corrections_total, taken_down, taken_down_total } = resolution;
  const unit = unitOf(challenge.question);
  return (
    <section class="standings">
      <h2>Standings</h2>
      {first === null && <p class="note">Not resolved: {reason}.</p>}
      {standings.length > 0 &&
        (counts.scored > 0 ? (
          ranks(score, names, viewer)
        ) : (
          <details>
            <summary>Who made them</summary>
            {ranks(score, names, viewer)}
          </details>
        ))}
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
      {scores.n > 0 && (
        <details>
          <summary>Average scores</summary>
          <Measures summary={scores} />
          <CalibrationOf summary={scores} />
          <p class="quiet">{auditNote(challenge.id, `/api/v1/challenges/${challenge.id}/score`)}</p>
        </details>
      )}
      <p class="quiet">
        {denominators(counts)}.{' '}
        {counts.retractions + counts.takedowns > 0 &&
          `In all their records, these accounts have ${[
            counts.retractions > 0 && countText(counts.retractions, 'retracted etch'),
            counts.takedowns > 0 && `${countText(counts.takedowns, 'etch')} taken down by the operator`,
          ]
            .filter(Boolean)
            .join(' and ')}. `}
        {page.total > standings.length && `The table has the best ${standings.length} of ${page.total}.`}
      </p>
    </section>
  );
}

/** Who resolved it, from which source, and by what rule. */
export function ResolutionNote({
  question,
  id,
  first,
}: {
  question: string;
  id: string;
  first: ShownResolution;
}) {
  const { username, source = '', attested_at: at, etch_id } = first;
  return (
    <p>
      Source: {sourceLink(source)}. Resolved{' '}
      {username !== undefined && say`by [@${username}](/u/${username})`}
      {at !== undefined && [' on ', atTime(at)]}: {say`[the resolution and its proof](/e/${etch_id})`}.{' '}
      {settledText({ id, question }, source)}
    </p>
  );
}

/** The rule in the question or the author's word settles; only the command evaluates the rule. */
function settledText({ id, question }: { id: string; question: string }, source: string) {
  const url = ruleOf(question)?.url ?? null;
  if (url !== null && source === `sha256:${settledBy(source)} ${url}`)
    return say`
      Settled by rule, document kept, as the author says. ~svc settle --check ${id}~ checks it.
    `;
  return `The author of the challenge decided the outcome${url === null ? '' : ', although the question has a rule'}.`;
}

function ranks(
  { challenge, resolution, standings, scores }: ChallengeScore,
  names: ReadonlyMap<string, string>,
  viewer: string | undefined,
) {
  const [loss] = scores.quantile_loss;
  const came = resolution.first?.outcome;
  const isNumber = parseQuestion(challenge.question).asks === 'number';
  return (
    <Figures
      caption={`${loss ? 'Quantile loss' : 'Brier score'}: 0 is perfect, lower is better`}
      heads={['Rank', 'Name', answerHead(challenge.question, came), 'Score']}
    >
      {standings.map((one) => (
        <tr>
          <td>{one.rank ?? '–'}</td>
          <th scope="row" class="name">
            <a href={`/u/${one.username}`}>
              <NameAndHandle
                of={{ username: one.username, display_name: names.get(one.username) ?? one.username }}
              />
            </a>
            {one.username === viewer && ' (you)'}
            {one.self_resolved && ' (resolved it themselves)'}
          </th>
          <td>
            <a href={`/e/${one.etch_id}`}>
              {one.forecast ? answerOf(one.forecast, isNumber ? undefined : came) : 'answer'}
              <span class="visually-hidden">, the answer of @{one.username} and its proof</span>
            </a>
            {bar(one.forecast, came)}
          </td>
          <td>{scoreOrReason(one)}</td>
        </tr>
      ))}
    </Figures>
  );
}

function answerHead(question: string, came: string | undefined) {
  const format = parseQuestion(question);
  if (format.asks === 'number') return ['Answer, in ', safe(format.unit)];
  return came === undefined || came === VOID ? 'Answer' : ['Chance of ', safe(came)];
}

/** The chance of what came true; a number as its middle and its range. */
function answerOf(forecast: NonNullable<Standing['forecast']>, came: string | undefined): ComponentChildren {
  if (forecast.form === 'quantiles') return rangeText(forecast.quantiles);
  const chance = (of: string): string =>
    shownChance(forecast.outcomes.find(({ name }) => name === of)?.millionths ?? 0);
  if (came !== undefined && came !== VOID) return chance(came);
  return forecast.outcomes.every(({ name }) => name === 'yes' || name === 'no')
    ? `yes ${chance('yes')}`
    : safe(forecast.outcomes.map(({ name }) => `${name} ${chance(name)}`).join(' · '));
}

/** The chance of what came true, drawn. */
function bar(forecast: Standing['forecast'], came: string | undefined) {
  const said = forecast?.form === 'outcomes' && forecast.outcomes.find(({ name }) => name === came);
  return (
    said && (
      <svg class="chance" aria-hidden="true">
        <rect width={`${percentText(said.millionths)}%`} height="100%" />
      </svg>
    )
  );
}

const resolutionText = ({ etch_id, username, source, attested_at }: Resolution) => say`
  by [@${username}](/u/${username}), [attested](/e/${etch_id}) ${atTime(attested_at)}. Source: ${sourceLink(source)}
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

const unitText = ({ unit }: ForecastResult): string => (unit === null ? '' : ` ${unit}`);

/** `Resolved: 8 nights`; undefined without an outcome. */
export const resultWords = (result: ForecastResult): string | undefined =>
  result.outcome === null ? undefined : resolvedWords(result.outcome, unitText(result));

/** Undefined without an outcome that counts. */
export const deciderOf = ({ outcome, resolution_id: id, self_resolved: isOwn }: ForecastResult) =>
  outcome === null || id === null
    ? undefined
    : isOwn
      ? 'the author of the forecast'
      : 'the author of the challenge';

/** Who resolved it and its score. The tag of the page has the outcome. */
export function OutcomeLine({ result }: { result: ForecastResult }) {
  const { resolution_id: id, challenge_id: challenge } = result;
  const decider = deciderOf(result);
  if (decider === undefined) return null;
  return (
    <p>
      <a href={`/e/${id}`}>Resolved by {decider}</a>
      {score(result)}
      {challenge !== null && say` · [All forecasts](/ch/${challenge})`}
    </p>
  );
}

function score({ state, brier, quantile_loss: loss, unit }: ForecastResult) {
  if (state === 'late') return ' · not scored, because it was attested too late';
  if (brier !== null) return ` · Brier score ${brier.toFixed(2)} (0 is best)`;
  return loss !== null && [` · quantile loss ${loss.toFixed(2)}`, <Unit of={unit} />, ' (0 is best)'];
}

export function resolveNote(challenge: ChallengeDetail, outcome: ShownOutcome, isCreator: boolean) {
  const who = authorLink(challenge.creator, challenge.creator_id);
  if (outcome.state === 'pending')
    return (
      <p>
        {say`
            ${who} [resolved it](/e/${outcome.etchId}): ${safe(outcomeValue(outcome.outcome, unitOf(challenge.question)))}.
            The outcome counts once it is anchored.
          `}
      </p>
    );
  if (outcome.state !== 'open') return null;
  return isCreator ? (
    <p class="actions">
      <a class="button" href={`/ch/${challenge.id}/resolve`}>
        Resolve it
      </a>
    </p>
  ) : (
    <p>Waiting for {who} to resolve.</p>
  );
}
