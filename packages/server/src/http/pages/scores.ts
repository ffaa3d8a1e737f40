import type { ChallengeListItem } from '@svc/contract';
import type { ListOutcomes } from '@svc/web';
import { findChallenges } from '../../challenges/store.ts';
import { Failure } from '../../platform/failure.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import { type Parts, scoreContext } from '../parts.ts';

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
  parts: Parts,
  challenges: readonly ChallengeListItem[],
): Promise<ListOutcomes> {
  const closed = challenges.filter((one) => one.closed).map(({ id }) => id);
  if (closed.length === 0) return new Map();
  const rows = await findChallenges(parts.db, closed);
  return readOutcomes(
    parts.db,
    rows.filter((row) => row !== undefined),
    scoreContext(parts),
  );
}
