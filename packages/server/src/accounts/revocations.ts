import type { Db } from '../db/db.ts';
import { createLedgerFile, type LedgerForm, replayLedger } from '../platform/flow/ledger-file.ts';
import {
  insertRevocations,
  listRevocations,
  type Revocation,
  type RevocationPlace,
} from '../identity/revocation-store.ts';
import { deleteSessions } from '../identity/web-session/store.ts';
import { listMissedKeys, revokeKeysAgain } from './store.ts';

/** The file keeps an older backup from restoring revoked keys and ended sessions. */
export interface ReplayedRevocations {
  entries: number;
  keys: number;
  sessions: number;
  refused: number;
}

const FORM: LedgerForm<Revocation> = {
  parse({ kind, hash, revoked_at }) {
    if (kind !== 'api_key' && kind !== 'session') return null;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
    if (typeof revoked_at !== 'string' || Number.isNaN(Date.parse(revoked_at))) return null;
    return { kind, hash, revoked_at };
  },
  nameOf: ({ kind, hash }) => `${kind} ${hash}`,
};

export async function replayRevocations(db: Db, file: string): Promise<ReplayedRevocations> {
  const total: ReplayedRevocations = { entries: 0, keys: 0, sessions: 0, refused: 0 };
  const { entries, damaged } = await replayLedger(file, FORM, (some) => replaySome(db, some, total));
  total.entries = entries;
  total.refused += damaged;
  return total;
}

async function replaySome(db: Db, revocations: readonly Revocation[], total: ReplayedRevocations) {
  const of = (kind: Revocation['kind']) => revocations.filter((one) => one.kind === kind);
  await db.tx(async (tx) => {
    total.keys += await revokeKeysAgain(tx, of('api_key'));
    total.sessions += await deleteSessions(
      tx,
      of('session').map(({ hash }) => Buffer.from(hash, 'hex')),
    );
    await insertRevocations(tx, revocations);
  });
}

/** A process of an older version revoked these keys during the migration. */
export async function noteMissedKeys(db: Db): Promise<void> {
  const missed = await listMissedKeys(db);
  if (missed.length > 0)
    await insertRevocations(
      db,
      missed.map((key) => ({ kind: 'api_key', ...key })),
    );
}

export function createRevocationFile(db: Db, file: string): () => Promise<number> {
  return createLedgerFile(file, FORM, (after: RevocationPlace | { since: string }, limit) =>
    listRevocations(db, after, limit),
  );
}
