import { proveInclusion, writeTlogProof } from '@svc/protocol/tlog';
import type { Db } from '../../db/db.ts';
import { findLogged } from './checkpoints.ts';
import { subtreesOf } from './entries.ts';

export interface EtchLogProof {
  kind: 0 | 1;
  proof: string;
  quorum: boolean;
}

export async function proveLogged(
  db: Db,
  origin: string,
  etchId: string,
  { needsQuorum = false } = {},
): Promise<EtchLogProof[]> {
  const proofs: EtchLogProof[] = [];
  for (const { kind, index, data, proof, size, note, quorum } of await findLogged(db, origin, etchId)) {
    if (needsQuorum && !quorum) continue;
    const inclusion = await proveInclusion(index, size, subtreesOf(db));
    const path = Array.from({ length: proof.length / 32 }, (_, at) => proof.subarray(32 * at, 32 * at + 32));
    const text = writeTlogProof({ data, path, index, inclusion, checkpoint: note });
    proofs.push({ kind, proof: text, quorum });
  }
  return proofs;
}
