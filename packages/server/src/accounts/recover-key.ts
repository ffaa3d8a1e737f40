import { keySignedString } from '@svc/protocol';
import { type Clock, toTime } from '../db/clock.ts';
import type { Db } from '../db/db.ts';
import { Failure } from '../platform/failure.ts';
import { proveKey, type SignedRequest } from '../identity/signed-request.ts';
import { issueKey } from './keys.ts';
import { findAccountByPublicKey, type KeyRow, useSignature } from './store.ts';

/** Older keys stay valid (docs/specification.md#further-endpoints). */
export async function recoverKey(
  db: Db,
  clock: Clock,
  request: SignedRequest,
): Promise<{ row: KeyRow; value: string }> {
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
