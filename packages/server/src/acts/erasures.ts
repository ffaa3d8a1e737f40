import type { Db } from '../db/db.ts';
import { createLedgerFile, type LedgerForm, replayLedger } from '../platform/flow/ledger-file.ts';
import { lockEtch } from './change-store.ts';
import {
  type DescriptionTakedown,
  type ErasureLine,
  type ErasurePlace,
  findUnerased,
  insertErasures,
  listErasures,
} from './erasure-store.ts';
import { erase, eraseWithheldEtch } from './retract.ts';
import { replayTakedowns } from './moderate.ts';

/** The file keeps an older backup from restoring erased texts. */
export interface Replayed {
  entries: number;
  erased: number;
  takenDown: number;
  refused: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const FORM: LedgerForm<ErasureLine> = {
  parse({ etch_id, hash, retracted_at, taken_down, ...takedown }) {
    if ('target_id' in takedown) return parseTakedown(takedown);
    if (typeof etch_id !== 'string' || !UUID.test(etch_id)) return null;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
    if (typeof retracted_at !== 'string' || Number.isNaN(Date.parse(retracted_at))) return null;
    if (taken_down === undefined) return { etch_id, hash, retracted_at };
    if (typeof taken_down !== 'string' || !/^[a-z_]{1,40}$/.test(taken_down)) return null;
    return { etch_id, hash, retracted_at, taken_down };
  },
  nameOf: (line) => ('target_id' in line ? `description ${line.target_id}` : line.etch_id),
};

function parseTakedown(fields: Record<string, unknown>): DescriptionTakedown | null {
  const { target, target_id, reason, taken_down_at } = fields;
  if (target !== 'etch' && target !== 'challenge') return null;
  if (typeof target_id !== 'string' || !UUID.test(target_id)) return null;
  if (typeof reason !== 'string' || !/^[a-z_]{1,40}$/.test(reason)) return null;
  if (typeof taken_down_at !== 'string' || Number.isNaN(Date.parse(taken_down_at))) return null;
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
  const erasures = lines.filter((line) => 'etch_id' in line);
  total.takenDown += await replayTakedowns(
    db,
    lines.filter((line) => 'target_id' in line),
  );
  const byId = new Map(erasures.map((erasure) => [erasure.etch_id, erasure]));
  for (const { id, hash } of await findUnerased(db, [...byId.keys()])) {
    const erasure = byId.get(id)!;
    if (hash !== erasure.hash) {
      total.refused++;
      byId.delete(id);
      continue;
    }
    await db.tx(async (tx) => {
      const row = await lockEtch(tx, id);
      if (!row) return;
      const takenDown = erasure.taken_down ?? null;
      if (row.status !== 'retracted') await erase(tx, row, Date.parse(erasure.retracted_at), takenDown);
      else if (!(await eraseWithheldEtch(tx, id, takenDown))) return;
      total.erased++;
    });
  }
  await insertErasures(db, [...byId.values()]);
}

export function createErasureFile(db: Db, file: string): () => Promise<number> {
  return createLedgerFile(file, FORM, (after: ErasurePlace | { since: string }, limit) =>
    listErasures(db, after, limit),
  );
}
