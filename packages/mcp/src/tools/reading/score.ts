import {
  AccountScore,
  AccountScores,
  ChallengeResolution,
  ChallengeScore,
  NumberedPage,
  ScoreSummary,
  Standing as StandingFields,
  StandingResolution,
} from '@svc/contract';
import type { SuccessOf } from '@svc/contract/types';
import { z } from 'zod';
import { findChallengeId } from '../../find-id.ts';
import { warning } from '../../outputs.ts';
import { fieldsOf, listOf, object, omit, orNull, pick, split, text } from '../../schema.ts';
import type { Session } from '../../session.ts';
import { readingTool } from '../../tool.ts';
import { splitQuestion, WARNING } from '../../untrusted.ts';
import { challengeName, username as accountName } from '../inputs.ts';

const NOT_PROVEN =
  'The service computed this from public records. It does not show whether the records are complete, whether resolutions are true, or who has several accounts. svc score audits the records first.';

const ofOne = fieldsOf(AccountScore);
const ofAll = fieldsOf(ChallengeScore);
const CHOSEN = ['username', 'forecast', 'outcome', 'unit', 'reason'];
const standing = fieldsOf(StandingFields);
const judged = split(
  {
    ...omit(standing, 'rank', 'retractions', 'takedowns'),
    'rank?': standing['rank']!,
    'retractions?': standing['retractions']!,
    'takedowns?': standing['takedowns']!,
  },
  ...CHOSEN,
);
const summary = split(fieldsOf(ScoreSummary), 'quantile_loss');
const resolved = split(fieldsOf(StandingResolution), 'username', 'outcome', 'source');

const output = object({
  warning,
  not_proven: text('What the scores do not show.'),
  'account?': split(fieldsOf(ofOne['account']!), 'username'),
  'challenge?': split(fieldsOf(ofAll['challenge']!), 'question'),
  'resolution?': object({
    facts: object(
      pick(
        fieldsOf(ChallengeResolution),
        'state',
        'reason',
        'corrections_total',
        'taken_down',
        'taken_down_total',
      ),
    ),
    first: orNull(resolved),
    corrections: listOf(resolved),
  }),
  counts: { anyOf: [ofOne['counts']!, ofAll['counts']!] },
  scores: {
    anyOf: [
      object(Object.fromEntries(Object.keys(fieldsOf(AccountScores)).map((by) => [by, summary]))),
      summary,
    ],
  },
  'forecasts?': listOf(judged),
  'standings?': listOf(judged),
  page: NumberedPage,
});

export const score = readingTool({
  name: 'score',
  title: 'Score forecasts',
  description:
    'Returns the scores of an account’s forecasts (username), or the resolution and standings of a challenge (challenge_id). ' +
    'Lower Brier, log and quantile losses are better. Read the counts too: late, unresolved, sealed, retracted and taken-down forecasts have no score. Compare quantile losses only between equal levels.',
  input: {
    username: accountName.optional().describe('An account; give either this or challenge_id.'),
    challenge_id: challengeName.optional(),
    page: z.number().int().min(1).max(999_999_999).optional().describe('Default: 1; a page has 30 entries.'),
  },
  output,
  run({ username, challenge_id: named, page }, session) {
    if ((username === undefined) === (named === undefined))
      throw new TypeError('give either username or challenge_id');
    return named === undefined ? ofAccount(username!, page, session) : ofChallenge(named, page, session);
  },
});

async function ofAccount(username: string, page: number | undefined, { client }: Session) {
  const score = await client.accountScore(username, { page });
  return {
    warning: WARNING,
    not_proven: NOT_PROVEN,
    account: { facts: { user_id: score.account.user_id }, untrusted: { username: score.account.username } },
    counts: score.counts,
    scores: splitScores(score.scores),
    forecasts: score.forecasts.map(splitForecast),
    page: score.page,
  };
}

async function ofChallenge(named: string, page: number | undefined, { client }: Session) {
  const {
    challenge,
    resolution,
    counts,
    scores,
    standings,
    page: place,
  } = await client.challengeScore(await findChallengeId(named, client), { page });
  const { first, corrections, ...found } = resolution;
  return {
    warning: WARNING,
    not_proven: NOT_PROVEN,
    challenge: splitQuestion(challenge),
    resolution: {
      facts: found,
      first: first && splitResolution(first),
      corrections: corrections.map(splitResolution),
    },
    counts,
    scores: splitSummary(scores),
    standings: standings.map(splitForecast),
    page: place,
  };
}

type Score = SuccessOf<'scoreAccount'>;
type Standing = SuccessOf<'scoreChallenge'>['standings'][number];
type Resolution = NonNullable<SuccessOf<'scoreChallenge'>['resolution']['first']>;

/** Outcomes, units and reasons contain texts of other accounts. */
function splitForecast(judged: Score['forecasts'][number] | Standing) {
  const { username, forecast, outcome, unit, reason, ...facts } = judged;
  return { facts, untrusted: { username, forecast, outcome, unit, reason } };
}

function splitResolution({ username, outcome, source, ...facts }: Resolution) {
  return { facts, untrusted: { username, outcome, source } };
}

const splitScores = ({ by_others, self_resolved }: Score['scores']) => ({
  by_others: splitSummary(by_others),
  self_resolved: splitSummary(self_resolved),
});

function splitSummary({ quantile_loss, ...facts }: Score['scores']['by_others']) {
  return { facts, untrusted: { quantile_loss } };
}
