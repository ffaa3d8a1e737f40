import { Failure } from '../../platform/failure.ts';
import type { ScoreContext } from '../../records/scores/score.ts';
import type { PageParts } from './parts.ts';

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
