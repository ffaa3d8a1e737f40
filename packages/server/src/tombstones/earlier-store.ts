import sql from 'sql-template-tag';
import type { Attestation, Hex } from '../chain/port.ts';
import type { Queryable } from '../db/db.ts';

export async function isEmpty(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ empty: boolean }>(
    sql`select not exists (select from etch) and not exists (select from anchor_tx) as empty`,
  );
  return row!.empty;
}

export async function readEarlier(db: Queryable): Promise<Hex | null> {
  const [row] = await db.query<{ uid: Buffer }>(sql`select uid from earlier_attestation limit 1`);
  return row ? `0x${row.uid.toString('hex')}` : null;
}

export async function insertEarlier(db: Queryable, { uid, time }: Attestation): Promise<void> {
  await db.query(sql`
    insert into earlier_attestation (uid, attested_at)
    values (${Buffer.from(uid.slice(2), 'hex')}, ${new Date(time * 1000).toISOString()}) on conflict do nothing`);
}
