import type { ChallengeScore } from '@svc/contract';
import { settledBy } from '@svc/protocol/conventions';
import { CalibrationOf, denominators, Measures, scoreText, stateText } from './score-parts.tsx';
import { NameAndHandle } from './author.tsx';
import { safe, atTime } from './values.tsx';
import { outcomeValue, ruleOf, unitOf } from '../questions.ts';
import type { Scored } from './track-record.tsx';
import { countText } from '../format.ts';
import { Figures } from './lists.tsx';

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
            <strong>{state === 'void' ? 'Void' : 'Resolved: '}</strong>
            {state !== 'void' && <strong>{safe(outcomeValue(first.outcome, unit))}</strong>}{' '}
            <Said resolution={first} />
          </p>
          <Settled challenge={challenge} source={first.source} />
        </>
      )}
      {corrections_total > 0 && (
        <>
          <p>
            {first === null ? 'Said about it' : 'Corrections'}; they change nothing ({corrections_total}):
          </p>
          <ul>
            {corrections.map((one) => (
              <li>
                {safe(outcomeValue(one.outcome, unit))} <Said resolution={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      {taken_down_total > 0 && (
        <>
          <p>Resolutions that the operator took down, which do not count ({taken_down_total}):</p>
          <ul>
            {taken_down.map(({ etch_id, attested_at }) => (
              <li>
                <a href={`/e/${etch_id}`}>attested</a> {atTime(attested_at)}
              </li>
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
          <Ranks standings={standings} scores={scores} names={names} />
        ) : (
          <details>
            <summary>Who made them</summary>
            <Ranks standings={standings} scores={scores} names={names} />
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
        This service computed the scores from public records. <code>svc score {challenge.id}</code> audits the
        records and computes the scores again.{' '}
        <a href={`/api/v1/challenges/${challenge.id}/score`}>As data</a>
      </p>
    </section>
  );
}

type SettledProps = { challenge: ChallengeScore['challenge']; source: string };

/** The rule in the question or the creator's word settles; only the command evaluates the rule. */
function Settled({ challenge: { id, question }, source }: SettledProps) {
  const url = ruleOf(question)?.url ?? null;
  const isByRule = url !== null && source === `sha256:${settledBy(source)} ${url}`;
  return (
    <p>
      {isByRule ? (
        <>
          Settled by rule, document kept, as the creator says. <code>svc settle --check {id}</code> checks it.
        </>
      ) : (
        <>Settled by the creator’s word{url !== null && ', although the question has a rule'}.</>
      )}
    </p>
  );
}

type RanksProps = Pick<ChallengeScore, 'standings' | 'scores'> & { names: ReadonlyMap<string, string> };

function Ranks({ standings, scores, names }: RanksProps) {
  const [loss] = scores.quantile_loss;
  // The levels are those of the question.
  const levels =
    standings.find(({ forecast }) => forecast)?.forecast?.quantiles.map(({ level }) => level) ?? [];
  return (
    <Figures
      heads={[
        'rank',
        'name',
        <>answer{levels.length > 0 && ` (${levels.join(', ')} %)`}</>,
        <>
          {loss ? 'quantile loss' : 'Brier score'}
          {loss && loss.unit !== null && <>, {safe(loss.unit)}</>}
        </>,
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
        ? [percent(yes.millionths)]
        : forecast.outcomes.map(({ name, millionths }) => `${name} ${percent(millionths)}`);
  const text = parts.join(' · ');
  return <td class={text.length <= ONE_LINE ? 'one-line' : undefined}>{safe(text)}</td>;
}

const percent = (millionths: number): string => `${Number((millionths / 10_000).toFixed(4))} %`;

function Said({ resolution: { etch_id, username, source, attested_at } }: { resolution: Resolution }) {
  return (
    <>
      by <a href={`/u/${username}`}>@{username}</a>, <a href={`/e/${etch_id}`}>attested</a>{' '}
      {atTime(attested_at)}. Source: {safe(source)}
    </>
  );
}
