import { randomUUID } from 'node:crypto';
import { keySignedString } from '@svc/protocol';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db, Queryable } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { apiKeyPrefix, type Caller, hashApiKey, makeApiKey, type Scope } from '../identity/caller.ts';
import {
  countKeys,
  findAccountByPublicKey,
  insertKey,
  type KeyRow,
  lockAccount,
  revokeKey,
  touchKeys,
  useSignature,
} from './store.ts';
import { proveKey, type SignedRequest } from '../identity/signed-request.ts';

export async function issueKey(
  db: Queryable,
  request: { userId: string; name: string; scope: Scope; at: string },
): Promise<{ row: KeyRow; value: string }> {
  const value = makeApiKey();
  const row: KeyRow = {
    id: randomUUID(),
    user_id: request.userId,
    name: request.name,
    scope: request.scope,
    prefix: apiKeyPrefix(value),
    created_at: request.at,
    last_used_at: null,
    revoked_at: null,
  };
  await insertKey(db, { ...row, hash: hashApiKey(value) });
  return { row, value };
}

/** Revoked keys are evidence, so this many are kept for each active key. */
const KEPT_FOR_EACH = 100;

/** `recoverKey` has no limit. */
export async function addKey(db: Db, request: Parameters<typeof issueKey>[1], most: number) {
  return db.tx(async (tx) => {
    await lockAccount(tx, request.userId);
    const { active, all } = await countKeys(tx, request.userId);
    if (active >= most)
      throw new Failure('conflict', `an account has at most ${most} keys in use: revoke one first`);
    if (all >= most * KEPT_FOR_EACH)
      throw new Failure(
        'conflict',
        `this account has had ${all} keys, the most that an account may have: use the keys that it has`,
      );
    return issueKey(tx, request);
  });
}

/** A read key may revoke only itself. */
export async function revoke(db: Db, clock: Clock, caller: Caller, keyId: string): Promise<KeyRow> {
  const { credential } = caller;
  if (credential.type === 'api_key' && credential.scope === 'read' && credential.keyId !== keyId) {
    throw new Failure('forbidden', 'a read key revokes only itself: use a key with scope `write`');
  }
  const row = await db.tx((tx) => revokeKey(tx, caller.userId, keyId, toTime(clock.now())));
  if (!row) throw new Failure('not_found', 'no active key of this account has that id');
  return row;
}

/** Writes last-used times together, a few seconds late. */
export function createKeyUses(db: Db, clock: Clock) {
  let uses = new Map<string, number>();
  return {
    note: (keyId: string) => void uses.set(keyId, clock.now()),
    async flush() {
      if (uses.size === 0) return;
      const taken = uses;
      uses = new Map();
      await touchKeys(
        db,
        [...taken]
          .map(([keyId, at]) => ({ keyId, at: toTime(at) }))
          .sort((a, b) => (a.keyId < b.keyId ? -1 : 1)),
      );
    },
  };
}

/** Older keys stay valid (docs/specification.md#further-endpoints). */
export async function recoverKey(db: Db, clock: Clock, request: SignedRequest) {
  const now = clock.now();
  const at = toTime(now);
  const { publicKey, digest } = proveKey(
    request,
    keySignedString(request.public_key, request.issued_at),
    now,
  );
  return db.tx(async (tx) => {
    const agent = await findAccountByPublicKey(tx, publicKey);
    if (!agent) throw new Failure('not_found', 'no agent has this public key: register it by POST /agents');
    if (!(await useSignature(tx, digest, at))) {
      throw new Failure('conflict', 'this signature was used before: sign again with the current time');
    }
    return issueKey(tx, { userId: agent.id, name: 'recovered', scope: 'write', at });
  });
}
