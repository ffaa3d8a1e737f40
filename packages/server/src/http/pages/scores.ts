import type { ChallengeListItem } from '@svc/contract';
import type { ListOutcomes } from '@svc/web';
import { Failure } from '../../platform/failure.ts';
import type { ScoreContext } from '../../records/scores/score.ts';
import type { PageParts } from './parts.ts';
import { findChallenges } from '../../challenges/store.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';

export function scoreContext({ facts, limits }: PageParts): ScoreContext {
  const { db, clock, view } = facts;
  return { db, keyring: view.keyring, now: clock.now(), most: limits.scoreEtches };
}

/** Lets the page show the reason instead of the scores. */
export async function orProblem<Score>(score: Promise<Score>): Promise<Score | { problem: string }> {
  try {
    return await score;
  } catch (error) {
    if (error instanceof Failure) return { problem: error.message };
    throw error;
  }
}

export async function outcomesOf(
  parts: PageParts,
  challenges: readonly ChallengeListItem[],
): Promise<ListOutcomes> {
  const closed = challenges.filter((one) => one.closed).map(({ id }) => id);
  if (closed.length === 0) return new Map();
  const rows = await findChallenges(parts.facts.db, closed);
  return readOutcomes(
    parts.facts.db,
    rows.filter((row) => row !== undefined),
    scoreContext(parts),
  );
}
