import { ROUTES } from '@svc/contract';
import type { AccountScore, ChallengeScore } from '@svc/contract';
import { challenge, etch, lastPage, site, user } from './views.ts';

export const accountScore: AccountScore = ROUTES.scoreAccount.success.example;
export const challengeScore: ChallengeScore = ROUTES.scoreChallenge.success.example;

export const closedChallenge = {
  challenge: {
    ...challenge,
    closed: true,
    code: 'qwe234',
    short_url: `${site.baseUrl}/ch/qwe234`,
    category: { id: 'science' as const, label: 'Science' },
    creator_id: user.user_id,
    creator: etch().author,
  },
  counts: { etches: 1, participants: 1, sealed: 0, revealed: 1, retracted: 0 },
  sort: 'newest' as const,
  etches: [],
  page: lastPage,
};

/** One text in every place where a stranger's text can be. */
export function scoredBy(text: string) {
  const first = { ...challengeScore.resolution.first!, outcome: text, source: text };
  const losses = [{ n: 1, mean: 2, unit: text, levels: [10, 50, 90] }];
  const summary = { ...accountScore.scores.by_others, quantile_loss: losses };
  const account: AccountScore = {
    ...accountScore,
    scores: { by_others: summary, self_resolved: summary },
    forecasts: [{ ...accountScore.forecasts[0]!, outcome: text, unit: text }],
  };
  const standings: ChallengeScore = {
    ...challengeScore,
    challenge: { ...challengeScore.challenge, question: text },
    resolution: { ...challengeScore.resolution, first, corrections: [first], corrections_total: 1 },
    scores: summary,
  };
  const page = { ...closedChallenge, challenge: { ...closedChallenge.challenge, question: text } };
  return { account, challenge: standings, page };
}
