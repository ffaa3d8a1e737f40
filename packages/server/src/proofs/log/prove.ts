import { proveInclusion, writeTlogProof } from '@svc/protocol/tlog';
import type { Db } from '../../db/db.ts';
import { checkpointOver } from './checkpoints.ts';
import { findLogged, subtreesOf } from './entries.ts';

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
  for (const { kind, index, data, proof } of await findLogged(db, etchId)) {
    const checkpoint = await checkpointOver(db, origin, index);
    if (checkpoint === null || (needsQuorum && !checkpoint.quorum)) continue;
    const inclusion = await proveInclusion(index, checkpoint.size, subtreesOf(db));
    const path = Array.from({ length: proof.length / 32 }, (_, at) => proof.subarray(32 * at, 32 * at + 32));
    const text = writeTlogProof({ data, path, index, inclusion, checkpoint: checkpoint.note });
    proofs.push({ kind, proof: text, quorum: checkpoint.quorum });
  }
  return proofs;
}
