import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

const PREFIX = 'whsec_';

export const makeSecret = (): Buffer => randomBytes(32);

export const showSecret = (secret: Buffer): string => PREFIX + secret.toString('base64');

export const readSigningSecrets = (db: Queryable, webhookId: string, now: string) =>
  db.column<Buffer>(sql`
    select secret from (
      select secret, null::timestamptz as until from webhook where id = ${webhookId}
      union all select secret, until from webhook_old_secret where webhook_id = ${webhookId} and until > ${now}
    ) s order by until desc nulls first`);

export const forgetOldSecrets = (db: Queryable, now: string) =>
  db.query(sql`delete from webhook_old_secret where until <= ${now}`);
