// API keys: issue, list and revoke. A revocation also goes into a file, because an older backup would restore the
// key.
import { randomUUID } from 'node:crypto';
import type { ListedKey } from '@svc/contract';
import sql from 'sql-template-tag';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable, Tx } from '../db/db.ts';
import { apiKeyPrefix, type Caller, hashApiKey, makeApiKey, type Scope } from '../identity/caller.ts';
import {
  insertRevocations,
  listRevocations,
  type Revocation,
  type RevocationPlace,
} from '../identity/revocation-store.ts';
import { deleteSessions } from '../identity/web-session/store.ts';
import { Failure } from '../platform/failure.ts';
import { createLedgerFile, type LedgerForm, replayLedger } from '../platform/flow/ledger-file.ts';
import { lockAccount } from './store.ts';

const KEY = sql`id, name, scope, prefix, created_at, last_used_at, revoked_at`;

interface KeyRequest {
  userId: string;
  name: string;
  scope: Scope;
  at: string;
}

export async function issueKey(
  db: Queryable,
  { userId, name, scope, at }: KeyRequest,
): Promise<{ row: ListedKey; value: string }> {
  const value = makeApiKey();
  const row = await db.one<ListedKey>(sql`
    insert into api_key (id, user_id, name, scope, prefix, hash, created_at)
    values (${randomUUID()}, ${userId}, ${name}, ${scope}, ${apiKeyPrefix(value)}, ${hashApiKey(value)}, ${at})
    returning ${KEY}`);
  return { row, value };
}

/** Revoked keys are evidence, so this many are kept for each active key. */
const KEPT_FOR_EACH = 100;

/** `recoverKey` has no limit. */
export async function addKey(db: Db, request: KeyRequest, most: number) {
  return db.tx(async (tx) => {
    await lockAccount(tx, request.userId);
    const { active, total } = await tx.one<{ active: number; total: number }>(sql`
      select count(*) filter (where revoked_at is null) as active, count(*) as total
      from api_key where user_id = ${request.userId}`);
    if (active >= most)
      throw new Failure('conflict', `an account has at most ${most} keys in use: revoke one first`);
    if (total >= most * KEPT_FOR_EACH)
      throw new Failure(
        'conflict',
        `this account has had ${total} keys, the most that an account may have: use the keys that it has`,
      );
    return issueKey(tx, request);
  });
}

export const listKeys = (db: Queryable, userId: string) =>
  db.query<ListedKey>(sql`select ${KEY} from api_key where user_id = ${userId} order by created_at desc, id`);

/** A read key may revoke only itself. */
export async function revoke(db: Db, clock: Clock, caller: Caller, keyId: string): Promise<ListedKey> {
  const { credential } = caller;
  if (credential.type === 'api_key' && credential.scope === 'read' && credential.keyId !== keyId) {
    throw new Failure('forbidden', 'a read key revokes only itself: use a key with scope `write`');
  }
  const row = await db.tx((tx) => revokeKey(tx, caller.userId, keyId, toTime(clock.now())));
  if (!row) throw new Failure('not_found', 'no active key of this account has that id');
  return row;
}

/** Records the revocation for the ledger. @returns undefined without an active key */
export async function revokeKey(tx: Tx, userId: string, keyId: string, at: string) {
  const row = await tx.first<ListedKey & { hash: Buffer }>(sql`
    update api_key set revoked_at = ${at} where id = ${keyId} and user_id = ${userId} and revoked_at is null
    returning ${KEY}, hash`);
  if (!row) return undefined;
  const { hash, ...key } = row;
  await noteRevoked(tx, [hash], at);
  return key;
}

export async function revokeAllKeys(tx: Tx, userId: string, at: string): Promise<number> {
  const hashes = await tx.column<Buffer>(sql`
    update api_key set revoked_at = ${at} where user_id = ${userId} and revoked_at is null returning hash`);
  await noteRevoked(tx, hashes, at);
  return hashes.length;
}

const noteRevoked = (tx: Tx, hashes: readonly Buffer[], at: string) =>
  insertRevocations(
    tx,
    hashes.map((hash) => ({ kind: 'api_key', hash: hash.toString('hex'), revoked_at: at })),
  );

/** Writes last-used times together, a few seconds late. */
export function createKeyUses(db: Db, clock: Clock) {
  let uses = new Map<string, number>();
  return {
    note: (keyId: string) => void uses.set(keyId, clock.now()),
    async flush() {
      if (uses.size === 0) return;
      const taken = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
      uses = new Map();
      await db.query(sql`
        update api_key k set last_used_at = u.at
        from unnest(${taken.map(([id]) => id)}::uuid[], ${taken.map(([, at]) => toTime(at))}::timestamptz[]) as u (id, at)
        where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)`);
    },
  };
}

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
  const keys = revocations.filter(({ kind }) => kind === 'api_key');
  const sessions = revocations.filter(({ kind }) => kind === 'session');
  await db.tx(async (tx) => {
    total.keys += await tx.countRows(sql`
      update api_key k set revoked_at = v.at
      from unnest(${keys.map(({ hash }) => hash)}::text[], ${keys.map((key) => key.revoked_at)}::timestamptz[]) as v (hash, at)
      where k.hash = decode(v.hash, 'hex') and k.revoked_at is null returning 1`);
    total.sessions += await deleteSessions(
      tx,
      sessions.map(({ hash }) => Buffer.from(hash, 'hex')),
    );
    await insertRevocations(tx, revocations);
  });
}

/** A process of an older version revoked these keys during the migration. Scans all keys. */
export async function noteMissedKeys(db: Db): Promise<void> {
  const missed = await db.query<Revocation>(sql`
    select 'api_key' as kind, encode(k.hash, 'hex') as hash, k.revoked_at from api_key k
    where k.revoked_at is not null
      and not exists (select 1 from revocation r where r.kind = 'api_key' and r.hash = k.hash)`);
  if (missed.length > 0) await insertRevocations(db, missed);
}

export const createRevocationFile = (db: Db, file: string): (() => Promise<number>) =>
  createLedgerFile(file, FORM, (after: RevocationPlace | { since: string }, limit) =>
    listRevocations(db, after, limit),
  );
