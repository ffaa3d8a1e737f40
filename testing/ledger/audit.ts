import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { Db } from '../../packages/server/src/db/db.ts';
import { attestationsOf } from '../chain/attestations.ts';
import { auditIndex } from '../log/index-of-log.ts';
import type { Load, Wanted } from '../system/load.ts';
import { allAnchored, fetchReceipts, receiptFaults } from '../system/settled.ts';
import { PER_DAY, type World } from '../system/world.ts';
import { ledgerFaults, type LedgerOptions } from './audit-ledger.ts';

interface AuditOptions extends Pick<LedgerOptions, 'remade'> {
  /** 0 skips the check */
  perDay?: number;
  seconds?: number;
}

export async function audit(
  world: World,
  load: Load,
  options: AuditOptions = {},
): Promise<{ etches: number; trees: number }> {
  expect(load.faults).toEqual([]);
  expect(load.wanted.filter((wanted) => wanted.id === undefined)).toEqual([]);
  await allAnchored(world, load.wanted, options.seconds);
  const receipts = await fetchReceipts(world.client, load.wanted);
  const exit = await world.service.stop();
  expect(exit, world.service.output().slice(-2_000)).toEqual({ code: 0, signal: null });

  return world.withDb(async (db) => {
    const users = [...new Set(load.wanted.map(({ agent }) => agent.userId))];
    const faults = await rowFaults(db, load.wanted, users);
    if (options.perDay !== 0) faults.push(...(await allowanceFaults(db, users, options.perDay ?? PER_DAY)));
    const trees = await world.withChain(async (chain) => {
      const attested = await attestationsOf(chain);
      faults.push(...(await ledgerFaults(db, attested, { ...options, users })));
      faults.push(...(await receiptFaults(receipts, chain)));
      return attested.length;
    });
    expect(faults).toEqual([]);
    await auditIndex(db);
    return { etches: load.wanted.length, trees };
  });
}

async function rowFaults(db: Db, wanted: readonly Wanted[], users: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const rows = await db.query<{ id: string; user_id: string; hash: Buffer; status: string }>(
    sql`select id, user_id, hash, status from etch where user_id = any(${users}::uuid[])`,
  );
  const stored = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set(wanted.map(({ id }) => id!));
  if (ids.size !== wanted.length) faults.push(`${wanted.length - ids.size} ids were given out twice`);
  for (const id of ids) if (!stored.has(id)) faults.push(`${id} was acknowledged and is lost`);
  for (const id of stored.keys())
    if (!ids.has(id)) faults.push(`${id} was written beside what was acknowledged`);

  const keys = await db.query<{ user_id: string; key: string; record_id: string }>(
    sql`select user_id, key, record_id from idempotency where user_id = any(${users}::uuid[])`,
  );
  const bound = new Map(keys.map((key) => [`${key.user_id} ${key.key}`, key.record_id]));
  for (const { agent, idempotencyKey, id } of wanted) {
    if (bound.get(`${agent.userId} ${idempotencyKey}`) !== id) faults.push(`${id}: its key leads elsewhere`);
  }
  if (keys.length !== wanted.length) faults.push(`${keys.length} keys are bound, ${wanted.length} were sent`);

  for (const { id, retracted } of wanted) {
    if ((stored.get(id!)?.status === 'retracted') !== retracted) faults.push(`${id}: retracted or not`);
  }
  return faults;
}

/** Each etch counts once, even if its answer was lost. */
async function allowanceFaults(db: Db, users: readonly string[], perDay: number): Promise<string[]> {
  const faults: string[] = [];
  const buckets = await db.query<{ user_id: string; spent: number; updated_at: string }>(
    sql`select user_id, spent, updated_at from allowance where kind = 'etch'`,
  );
  for (const user of users) {
    const bucket = buckets.find(({ user_id }) => user_id === user);
    const etches = await db.query<{ created_at: string }>(
      sql`select created_at from etch where user_id = ${user} order by created_at`,
    );
    // Computes the same token bucket as the service.
    let [spent, at] = [0, 0];
    const fill = (time: string): void => {
      spent = Math.max(0, spent - ((Date.parse(time) - at) * perDay) / 86_400_000);
      at = Date.parse(time);
    };
    for (const { created_at } of etches) {
      fill(created_at);
      spent++;
    }
    if (bucket) fill(bucket.updated_at);
    const differs = Math.abs(spent - (bucket?.spent ?? NaN));
    if (!(differs < 0.4)) faults.push(`${user}: ${bucket?.spent} tokens are spent, not ${spent}`);
  }
  return faults;
}
