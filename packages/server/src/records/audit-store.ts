import { readFile } from 'node:fs/promises';
import { isTime } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

export interface LastAudit {
  /** the output of `svc audit --all --json`, which the operator's daily audit writes */
  file: string;
  baseUrl: string;
}

/** @returns the time of the last audit of all accounts, if it passed */
export async function lastAuditAt({ file, baseUrl }: LastAudit, now: number): Promise<string | undefined> {
  const { result, service, audited_at, accounts_named } = await readReport(file);
  const time = isTime(audited_at) ? Date.parse(audited_at) : NaN;
  const isOurs = result === 'pass' && service === baseUrl && typeof accounts_named === 'number';
  return isOurs && time <= now ? new Date(time).toISOString() : undefined;
}

/**
 * An audit of all accounts covers only those that an attested tree of version 2 names.
 * @returns the time of the last audit, if it passed and covers this account
 */
export async function auditedAt(db: Queryable, userId: string, audit: LastAudit, now: number) {
  const at = await lastAuditAt(audit, now);
  if (at === undefined) return undefined;
  const isCovered = await db.value<boolean>(sql`
    select exists (
      select from etch e join batch_leaf l on l.etch_id = e.id and l.kind = 0 join batch b on b.id = l.batch_id
      where e.user_id = ${userId} and b.tree_version = 2 and b.anchored_at <= ${at}) as covered`);
  return isCovered ? at : undefined;
}

async function readReport(file: string): Promise<Record<string, unknown>> {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}
