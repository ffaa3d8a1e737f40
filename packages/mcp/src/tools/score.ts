import { z } from 'zod';
import { findChallengeId } from '../find-id.ts';
import type { Session } from '../session.ts';
import { readingTool } from '../tool.ts';
import { splitOff, splitQuestion } from '../untrusted.ts';
import { challengeName, username as accountName } from './inputs.ts';

const NOT_PROVEN =
  'The service computed this from public records. It does not show whether the records are complete, whether resolutions are true, or who has several accounts. svc score audits the records first.';

/** Outcomes, units and reasons contain texts of other accounts. */
const CHOSEN = ['username', 'forecast', 'outcome', 'unit', 'reason'] as const;
const RESOLVED = ['username', 'outcome', 'source'] as const;
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
  output: {
    not_proven: 'string',
    'account?': 'object',
    'challenge?': 'object',
    'resolution?': 'object',
    counts: 'object',
    scores: 'object',
    'forecasts?': 'array',
    'standings?': 'array',
    page: 'object',
  },
  run({ username, challenge_id: named, page }, session) {
    if ((username === undefined) === (named === undefined))
      throw new TypeError('give either username or challenge_id');
    return named === undefined ? ofAccount(username!, page, session) : ofChallenge(named, page, session);
  },
});

async function ofAccount(username: string, page: number | undefined, { client }: Session) {
  const { account, counts, scores, forecasts, page: place } = await client.accountScore(username, { page });
  const byWhom = Object.entries(scores).map(([by, one]) => [by, splitOff(one, 'quantile_loss')] as const);
  return {
    not_proven: NOT_PROVEN,
    account: splitOff(account, 'username'),
    counts,
    scores: Object.fromEntries(byWhom),
    forecasts: forecasts.map((one) => splitOff(one, ...CHOSEN)),
    page: place,
  };
}

async function ofChallenge(named: string, page: number | undefined, { client }: Session) {
  const found = await client.challengeScore(await findChallengeId(named, client), { page });
  const { first, corrections, ...facts } = found.resolution;
  return {
    not_proven: NOT_PROVEN,
    challenge: splitQuestion(found.challenge),
    resolution: {
      facts,
      first: first && splitOff(first, ...RESOLVED),
      corrections: corrections.map((one) => splitOff(one, ...RESOLVED)),
    },
    counts: found.counts,
    scores: splitOff(found.scores, 'quantile_loss'),
    standings: found.standings.map((one) => splitOff(one, ...CHOSEN)),
    page: found.page,
  };
}
