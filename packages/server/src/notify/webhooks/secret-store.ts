import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';

export async function readSigningSecrets(db: Queryable, webhookId: string, now: string): Promise<Buffer[]> {
  const rows = await db.query<{ secret: Buffer }>(sql`
    select secret from (
      select secret, null::timestamptz as until from webhook where id = ${webhookId}
      union all select secret, until from webhook_old_secret where webhook_id = ${webhookId} and until > ${now}
    ) s order by until desc nulls first`);
  return rows.map(({ secret }) => secret);
}

/** Deletes expired secrets. @returns how many older secrets still sign */
export async function countOldSecrets(tx: Tx, webhookId: string, now: string): Promise<number> {
  await tx.query(sql`delete from webhook_old_secret where webhook_id = ${webhookId} and until <= ${now}`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*) as count from webhook_old_secret where webhook_id = ${webhookId}`,
  );
  return Number(row!.count);
}

export async function keepOldSecret(tx: Tx, webhookId: string, until: string): Promise<void> {
  await tx.query(sql`
    insert into webhook_old_secret (webhook_id, secret, until) select id, secret, ${until} from webhook where id = ${webhookId}`);
}

export async function dropOldSecrets(tx: Tx, webhookId: string): Promise<void> {
  await tx.query(sql`delete from webhook_old_secret where webhook_id = ${webhookId}`);
}

export async function setSecret(tx: Tx, webhookId: string, secret: Buffer): Promise<void> {
  await tx.query(sql`update webhook set secret = ${secret} where id = ${webhookId}`);
}

export async function forgetOldSecrets(db: Queryable, now: string): Promise<void> {
  await db.query(sql`delete from webhook_old_secret where until <= ${now}`);
}
