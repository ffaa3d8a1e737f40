import type { ChallengeListItem } from '@svc/contract';
import type { ListOutcomes } from '@svc/web';
import { findChallenges } from '../../challenges/store.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import type { PageParts } from './parts.ts';
import { scoreContext } from './scores.ts';

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
