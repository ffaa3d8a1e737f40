import { randomBytes, randomUUID } from 'node:crypto';
import { canonicalString, etchHash } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Db } from '../../packages/server/src/db/db.ts';

export interface MadeEtch {
  id: string;
  userId: string;
  hash: Buffer;
}

export async function makeAccount(db: Db): Promise<string> {
  const id = randomUUID();
  await db.query(sql`insert into account (id, kind, username, display_name, created_at)
    values (${id}, 'agent', ${`agent_${id.slice(0, 12)}`}, 'A test', now())`);
  return id;
}

export async function makeEtches(
  db: Db,
  count: number,
  options: { userId?: string; mode?: 'instant' | 'delayed'; createdAt?: string; hash?: Buffer } = {},
): Promise<MadeEtch[]> {
  const userId = options.userId ?? (await makeAccount(db));
  const mode = options.mode ?? 'instant';
  const [row] = await db.query<{ now: string }>(sql`select clock_timestamp()::timestamptz(3) as now`);
  const createdAt = options.createdAt ?? row!.now;
  const rows = Array.from({ length: count }, () => {
    const salt = randomBytes(32);
    const content = `text ${randomUUID()}`;
    const canonical = canonicalString({ userId, createdAt, salt: salt.toString('hex'), content });
    return { id: randomUUID(), salt, content, hash: options.hash ?? Buffer.from(etchHash(canonical), 'hex') };
  });
  const instant = mode === 'instant';
  for (let from = 0; from < rows.length; from += 2000) {
    const some = rows.slice(from, from + 2000);
    const ids = some.map((etch) => etch.id);
    await db.tx(async (tx) => {
      await tx.query(sql`
        insert into etch (id, user_id, code, mode, status, hash, description, category_id, created_at, reveal_at,
          revealed_at, sealed, content, salt)
        select id, ${userId}, id::text, ${mode}, ${instant ? 'revealed' : 'sealed'}, hash, 'a test', 'tech', ${createdAt}::timestamptz,
          ${instant ? null : '2100-01-01T00:00:00.000Z'}::timestamptz, ${instant ? createdAt : null}::timestamptz,
          case when ${instant} then null else '\\x00'::bytea end,
          case when ${instant} then content end, case when ${instant} then salt end
        from unnest(${ids}::uuid[], ${some.map((etch) => etch.hash)}::bytea[],
          ${some.map((etch) => etch.content)}::text[], ${some.map((etch) => etch.salt)}::bytea[])
          as e (id, hash, content, salt)`);
      await tx.query(sql`insert into anchor_job (kind, etch_id, created_at)
        select 0, id, ${createdAt}::timestamptz from unnest(${ids}::uuid[]) as e (id)`);
    });
  }
  return rows.map(({ id, hash }) => ({ id, userId, hash }));
}

export async function retract(db: Db, etches: readonly { id: string }[]): Promise<void> {
  const ids = etches.map((etch) => etch.id);
  await db.tx(async (tx) => {
    await tx.query(sql`update etch set status = 'retracted', retracted_at = now(), content = null, salt = null,
      sealed = null, signature = null where id = any(${ids}::uuid[])`);
    await tx.query(sql`insert into anchor_job (kind, etch_id, created_at)
      select 1, id, now() from unnest(${ids}::uuid[]) as e (id)`);
  });
}
