import { type DatedScope, followScope, readWords, type ScopeHistory } from '@svc/protocol/conventions';
import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** A subject for which an account declared a scope, and the changes of later scopes. */
export interface DeclaredScope {
  declared: DatedScope;
  history: ScopeHistory;
}

const MOST = 100;

/** Lists the oldest first. The service audits nothing: `svc audit --scope` does. */
export async function readScopes(db: Queryable, userId: string): Promise<DeclaredScope[]> {
  const rows = await db.query<{ id: string; content: string; anchored_at: string | null }>(sql`
    select e.id, e.content, (
      select b.anchored_at from batch_leaf l join batch b on b.id = l.batch_id
      where l.etch_id = e.id and l.kind = 0 limit 1) as anchored_at
    from etch e where e.user_id = ${userId} and e.content like 'svc-scope:v1%' and e.mode = 'instant'
    order by e.created_at, e.id limit ${MOST}`);
  const bySubject = new Map<string, DatedScope[]>();
  for (const { id, content, anchored_at } of rows) {
    const words = readWords(content);
    // The author is part of every scope; a scope that lists the author declares none.
    if (words.kind !== 'scope' || words.accounts.some((one) => one.id === userId)) continue;
    const subject = words.subject.normalize('NFC');
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), { etch: id, anchored_at, words }]);
  }
  return [...bySubject.values()].map(([declared, ...later]) => ({
    declared: declared!,
    history: followScope(declared!, later),
  }));
}
