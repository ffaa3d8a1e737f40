import type { TakedownReason } from '@svc/contract';
import { descriptionTakenDown, questionTakenDown } from '@svc/protocol';
import { entryDescription } from '../challenges/entry.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Tx } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { indexDescriptions } from '../search-index/index-store.ts';
import { indexQuestion } from '../search-index/names-store.ts';
import { renewState } from '../search-index/state-store.ts';
import type { ByOperator } from './moderate.ts';
import { noteAct } from './moderation-store.ts';
import {
  type DescriptionTakedown,
  findTargets,
  insertTakedowns,
  lockDescription,
  lockQuestion,
  writeDescription,
  writeQuestion,
} from './take-down-store.ts';

export type DescriptionTarget = Pick<DescriptionTakedown, 'target' | 'target_id'>;

export async function takeDownDescription(
  db: Db,
  { target, target_id: id }: DescriptionTarget,
  reason: TakedownReason,
  { by, now }: ByOperator,
): Promise<void> {
  await db.tx(async (tx) => {
    const done = await (target === 'etch' ? blankDescription(tx, id) : blankQuestion(tx, id));
    if (!done) throw new Failure('not_found', `there is no such ${target}`);
    if (!done.changed) throw new Failure('unprocessable', 'it is already taken down');
    await insertTakedowns(tx, [{ target, target_id: id, reason, taken_down_at: toTime(now) }]);
    await noteAct(tx, {
      act: 'take_down_description',
      userId: done.userId,
      ...(target === 'etch' ? { etchId: id } : { challengeId: id }),
      reason,
      by,
      at: toTime(now),
    });
    await renewState(tx);
  });
}

export async function replayTakedowns(db: Db, takedowns: readonly DescriptionTakedown[]): Promise<number> {
  if (takedowns.length === 0) return 0;
  let again = 0;
  for (const { id, target } of await findTargets(
    db,
    takedowns.map((one) => one.target_id),
  )) {
    const changed = await db.tx(async (tx) => {
      const done = await (target === 'etch' ? blankDescription(tx, id) : blankQuestion(tx, id));
      if (done?.changed) await renewState(tx);
      return done?.changed ?? false;
    });
    if (changed) again++;
  }
  await insertTakedowns(db, takedowns);
  return again;
}

async function blankDescription(tx: Tx, id: string) {
  const row = await lockDescription(tx, id);
  if (!row) return undefined;
  const shown = descriptionTakenDown(row.description);
  if (shown === row.description) return { userId: row.user_id, changed: false };
  await writeDescription(tx, id, shown);
  await indexDescriptions(tx, [id], shown);
  return { userId: row.user_id, changed: true };
}

async function blankQuestion(tx: Tx, id: string) {
  const row = await lockQuestion(tx, id);
  if (!row) return undefined;
  const question = questionTakenDown(row.question);
  if (question === row.question) return { userId: row.creator_id, changed: false };
  const description = entryDescription(question);
  const entries = await writeQuestion(tx, id, { question, description });
  await indexQuestion(tx, id, question);
  await indexDescriptions(tx, entries, description);
  return { userId: row.creator_id, changed: true };
}
