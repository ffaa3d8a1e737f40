// The ledger of erasures, a file outside the database: a restored backup erases again what was erased after it.
import sql from 'sql-template-tag';
import { hardenFingerprints } from '../accounts/guess-store.ts';
import type { Db, Queryable } from '../db/db.ts';
import { createLedgerFile, type LedgerForm, replayLedger } from '../platform/flow/ledger-file.ts';
import { type DescriptionTakedown, replayTakedowns } from './moderation-store.ts';
import { erase, lockEtch } from './retract-store.ts';
import { eraseWithheldEtch } from './withheld-store.ts';

interface Erasure {
  etch_id: string;
  hash: string;
  retracted_at: string;
  /** the operator's reason; absent for a retraction */
  taken_down?: string;
}

type ErasureLine = Erasure | DescriptionTakedown;

/** The file keeps an older backup from restoring erased texts. */
export interface Replayed {
  entries: number;
  erased: number;
  takenDown: number;
  refused: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const REASON = /^[a-z_]{1,40}$/;

const matches = (text: unknown, form: RegExp): text is string => typeof text === 'string' && form.test(text);

const isTime = (text: unknown): text is string => typeof text === 'string' && !Number.isNaN(Date.parse(text));

const FORM: LedgerForm<ErasureLine> = {
  parse({ etch_id, hash, retracted_at, taken_down, ...takedown }) {
    if ('target_id' in takedown) return parseTakedown(takedown);
    if (!matches(etch_id, UUID) || !matches(hash, /^[0-9a-f]{64}$/) || !isTime(retracted_at)) return null;
    if (taken_down === undefined) return { etch_id, hash, retracted_at };
    return matches(taken_down, REASON) ? { etch_id, hash, retracted_at, taken_down } : null;
  },
  nameOf: (line) => ('target_id' in line ? `description ${line.target_id}` : line.etch_id),
};

function parseTakedown(fields: Record<string, unknown>): DescriptionTakedown | null {
  const { target, target_id, reason, taken_down_at } = fields;
  if (target !== 'etch' && target !== 'challenge') return null;
  if (!matches(target_id, UUID) || !matches(reason, REASON) || !isTime(taken_down_at)) return null;
  return { target, target_id, reason, taken_down_at };
}

export async function replayErasures(db: Db, file: string): Promise<Replayed> {
  const total: Replayed = { entries: 0, erased: 0, takenDown: 0, refused: 0 };
  const { entries, damaged } = await replayLedger(file, FORM, (some) => replaySome(db, some, total));
  total.entries = entries;
  total.refused += damaged;
  return total;
}

async function replaySome(db: Db, lines: readonly ErasureLine[], total: Replayed): Promise<void> {
  const takedowns = lines.filter((line) => 'target_id' in line);
  total.takenDown += await replayTakedowns(db, takedowns);
  const byId = new Map(lines.flatMap((line) => ('etch_id' in line ? [[line.etch_id, line] as const] : [])));
  const unerased = await db.query<{ id: string; hash: string }>(sql`
    select id, encode(hash, 'hex') as hash from etch where id = any(${[...byId.keys()]}::uuid[])
      and (status <> 'retracted' or exists (select from withheld w where w.etch_id = etch.id))`);
  for (const { id, hash } of unerased) {
    const { hash: erasedHash, retracted_at, taken_down = null } = byId.get(id)!;
    if (hash !== erasedHash) {
      total.refused++;
      byId.delete(id);
      continue;
    }
    const erasing = { hardened: await hardenFingerprints(db, id), takenDown: taken_down };
    await db.tx(async (tx) => {
      const row = await lockEtch(tx, id);
      if (!row) return;
      if (row.status !== 'retracted') await erase(tx, row, Date.parse(retracted_at), erasing);
      else if (!(await eraseWithheldEtch(tx, id, erasing))) return;
      total.erased++;
    });
  }
  const erasures = [...byId.values()];
  await db.query(sql`
    insert into erasure (etch_id, hash, retracted_at, taken_down)
    select etch_id, decode(hash, 'hex'), retracted_at, taken_down
    from unnest(${erasures.map((one) => one.etch_id)}::uuid[], ${erasures.map((one) => one.hash)}::text[],
      ${erasures.map((one) => one.retracted_at)}::timestamptz[], ${erasures.map((one) => one.taken_down)}::text[])
      as e (etch_id, hash, retracted_at, taken_down)
    on conflict do nothing`);
}

interface ErasurePlace {
  writtenAt: string;
  id: string;
}

export const createErasureFile = (db: Db, file: string): (() => Promise<number>) =>
  createLedgerFile(file, FORM, (after: ErasurePlace | { since: string }, limit) =>
    listErasures(db, after, limit),
  );

interface LineRow {
  id: string;
  hash: string;
  at: string;
  reason: string | null;
  target: DescriptionTakedown['target'] | null;
  written_at: string;
}

async function listErasures(db: Queryable, after: ErasurePlace | { since: string }, limit: number) {
  const where =
    'since' in after
      ? sql`written_at >= ${after.since}::timestamptz`
      : sql`(written_at, id) > (${after.writtenAt}::timestamptz, ${after.id}::uuid)`;
  const rows = await db.query<LineRow>(sql`
    select * from (
      select etch_id as id, encode(hash, 'hex') as hash, retracted_at as at, taken_down as reason, null::text as target, written_at
      from erasure
      union all select target_id, null, taken_down_at, reason, target, written_at from description_takedown
    ) line where ${where} order by written_at, id limit ${limit}`);
  return rows.map(({ id, hash, at, reason, target, written_at: writtenAt }) => {
    const place = { writtenAt, id };
    if (target !== null) return { target, target_id: id, reason: reason!, taken_down_at: at, place };
    return { etch_id: id, hash, retracted_at: at, ...(reason !== null && { taken_down: reason }), place };
  });
}
