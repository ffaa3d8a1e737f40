import { type Etch, USERNAME } from '@svc/contract';
import type { AccountRow } from '../accounts/store.ts';
import { toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';
import { createSlots } from '../platform/flow/slots.ts';
import { isVerified } from '../identity/caller.ts';
import {
  countRecord,
  findAccountByUsername,
  findRecordPage,
  type RecordCounts,
  type RecordPlace,
} from './record-store.ts';

export interface RecordPage {
  user: ReturnType<typeof recordUserView>;
  counts: RecordCounts;
  etches: Etch[];
  next: RecordPlace | undefined;
}

/** Anyone may request this expensive count. */
const counting = createSlots({ slots: 4, queue: 1_000, patience: 10_000, what: 'records counted' });

const USERNAME_FORM = new RegExp(USERNAME);

export async function readRecord(
  db: Db,
  username: string,
  page: { limit: number; after?: RecordPlace; categories?: readonly string[] },
  now: number,
  view: ViewContext,
): Promise<RecordPage> {
  const name = username.toLowerCase();
  // A path may contain text that PostgreSQL rejects.
  const account = USERNAME_FORM.test(name) ? await findAccountByUsername(db, name) : undefined;
  if (!account) throw new Failure('not_found', 'there is no account with this username');
  return counting.run(() =>
    db.tx((tx) => readPage(tx, account, page, now, view), { snapshot: true, keepPlans: true }),
  );
}

async function readPage(
  db: Queryable,
  account: AccountRow,
  page: { limit: number; after?: RecordPlace; categories?: readonly string[] },
  now: number,
  view: ViewContext,
): Promise<RecordPage> {
  const [counts, found] = await Promise.all([
    countRecord(db, account.id, toTime(now)),
    findRecordPage(db, account.id, { ...page, limit: page.limit + 1 }),
  ]);
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  return {
    user: recordUserView(account, view),
    counts,
    etches: await etchViews(rows, now, view),
    next: found.length > page.limit && last ? { createdAt: last.created_at, id: last.id } : undefined,
  };
}

export function recordUserView(row: AccountRow, { officialAccounts }: Pick<ViewContext, 'officialAccounts'>) {
  return {
    user_id: row.id,
    username: row.username,
    display_name: row.display_name,
    social_handle: row.social_handle,
    social_verified_at: row.social_verified_at,
    created_at: row.created_at,
    kind: row.kind,
    public_key: row.public_key,
    agent_url: row.agent_url,
    agent_domain: row.agent_domain,
    agent_domain_checked_at: row.agent_domain_checked_at,
    operator_id: row.operator_id,
    official: officialAccounts.has(row.username),
    verified: isVerified(row),
  };
}
