import { challengeState, etchState } from '@svc/web';
import { findChallengeStates } from '../../challenges/store.ts';
import { isClosed } from '../../challenges/view.ts';
import type { Clock } from '../../db/clock.ts';
import type { Queryable } from '../../db/db.ts';
import { chainStates } from '../../etches/chain-view.ts';
import { findEtchStates } from '../../etches/store.ts';
import { statusAt } from '../../etches/row.ts';

export type Subject = `${'etch' | 'challenge'} ${string}`;

export async function readStates(
  { db, clock }: { db: Queryable; clock: Clock },
  subjects: readonly Subject[],
): Promise<Map<Subject, string>> {
  const idsOf = (kind: string): string[] =>
    subjects.filter((subject) => subject.startsWith(kind)).map((subject) => subject.slice(kind.length));
  const [etchIds, challengeIds] = [idsOf('etch '), idsOf('challenge ')];
  const [etches, challenges] = await Promise.all([
    etchIds.length > 0 ? findEtchStates(db, etchIds) : [],
    challengeIds.length > 0 ? findChallengeStates(db, challengeIds) : [],
  ]);
  const now = clock.now();
  return new Map<Subject, string>([
    ...etches.map((row): [Subject, string] => [
      `etch ${row.id}`,
      etchState({ status: statusAt(row, now), chain: chainStates(row, row, now) }),
    ]),
    ...challenges.map((row): [Subject, string] => [
      `challenge ${row.id}`,
      challengeState({ closed: isClosed(row, now) }, row),
    ]),
  ]);
}
