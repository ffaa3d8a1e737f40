import type { SuccessOf } from '@svc/contract';
import { z } from 'zod';
import type { Session } from '../session.ts';
import { tool } from '../tool.ts';
import { WARNING } from '../untrusted.ts';

const NOT_PROVEN =
  'The service computed this from public records. Whether they are complete, whether resolvers told the truth and who has other accounts it does not say: svc score audits the records first.';

export const score = tool({
  name: 'score',
  title: 'Score forecasts',
  description:
    'What an account’s forecasts came to (username), or how a challenge was resolved and who forecast it best (challenge_id). ' +
    'Lower Brier, log and quantile losses are better. Read the counts beside them: late, unresolved, sealed and retracted forecasts have no score.',
  input: {
    username: z
      .string()
      .regex(/^[a-z0-9_]{3,70}$/)
      .optional()
      .describe('An account, or challenge_id.'),
    challenge_id: z.uuid().optional(),
    page: z.number().int().min(1).max(999_999_999).optional().describe('1 unless told; 30 on each.'),
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  run({ username, challenge_id: id, page }, session) {
    if ((username === undefined) === (id === undefined))
      throw new TypeError('give one of username and challenge_id');
    return id === undefined ? ofAccount(username!, page, session) : ofChallenge(id, page, session);
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

async function ofChallenge(id: string, page: number | undefined, { client }: Session) {
  const {
    challenge,
    resolution,
    counts,
    scores,
    standings,
    page: place,
  } = await client.challengeScore(id, { page });
  const { question, ...facts } = challenge;
  const { first, corrections, state, reason, corrections_total } = resolution;
  return {
    warning: WARNING,
    not_proven: NOT_PROVEN,
    challenge: { facts, untrusted: { question } },
    resolution: {
      facts: { state, reason, corrections_total },
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

/** Names of outcomes, units and why a text is no forecast are words of others. */
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
