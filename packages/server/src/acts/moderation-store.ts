import type { TakedownReason } from '@svc/contract';
import sql from 'sql-template-tag';
import type { AccountReason } from '../accounts/standing-store.ts';
import type { Queryable, Tx } from '../db/db.ts';

/** The table rejects updates and deletes. */
export type OperatorAct =
  | 'suspend'
  | 'restore'
  | 'revoke'
  | 'hide'
  | 'unhide'
  | 'take_down'
  | 'take_down_description';

export interface ActRow {
  id: number;
  at: string;
  act: OperatorAct;
  user_id: string;
  username: string | null;
  etch_id: string | null;
  challenge_id: string | null;
  reason: AccountReason | TakedownReason | null;
  by: string;
}

export async function noteAct(
  tx: Tx,
  done: {
    act: OperatorAct;
    userId: string;
    etchId?: string;
    challengeId?: string;
    reason?: string | null;
    by: string;
    at: string;
  },
): Promise<void> {
  await tx.query(sql`
    insert into operator_act (act, user_id, etch_id, challenge_id, reason, by, at)
    values (${done.act}, ${done.userId}, ${done.etchId ?? null}, ${done.challengeId ?? null}, ${done.reason ?? null}, ${done.by}, ${done.at})`);
}

export async function listActs(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<ActRow[]> {
  return db.query<ActRow>(sql`
    select o.id, o.at, o.act, o.user_id, a.username, o.etch_id, o.challenge_id, o.reason, o.by
    from operator_act o left join account a on a.id = o.user_id where o.id > ${after} order by o.id limit ${limit}`);
}
