import type { Receipt } from '@svc/protocol';
import { type Evidence, EVIDENCE_FORMAT, EvidenceError, provenBlocks } from '@svc/verifier/evidence';
import type { Queryable } from '../../db/db.ts';
import { proofOfBatch, type Where } from './assemble.ts';
import { formerBatches, type FormerBatchRow } from './store.ts';

/** A file has at most 16 witnesses, and the other kinds need seven. */
const MOST = 8;

export async function proveFormer(db: Queryable, receipts: readonly Receipt[]): Promise<Evidence[]> {
  const [first] = receipts;
  if (first === undefined) return [];
  const rows = await formerBatches(db, first.etch_id);
  return receipts.slice(0, MOST).flatMap((receipt) => prove(receipt, rows) ?? []);
}

function prove(receipt: Receipt, rows: readonly FormerBatchRow[]): Evidence | undefined {
  const { chain, revocation } = receipt;
  const where = { contract: chain.attestation_contract, schemaUid: chain.schema_uid };
  const proofOf = (kind: 0 | 1, uid: string | null) => {
    const row = rows.find(
      (one) => one.kind === kind && one.chain_id === chain.chain_id && `0x${one.uid.toString('hex')}` === uid,
    );
    return (row?.header && proofOfBatch(row, row, where)) ?? null;
  };
  const commitment = proofOf(0, chain.attestation_uid);
  if (commitment === null) return undefined;
  const tombstone = revocation === null ? null : proofOf(1, revocation.attestation_uid);
  const file = { _format: EVIDENCE_FORMAT, receipt, commitment, tombstone } as Evidence;
  return holds(file, where) ? file : undefined;
}

function holds(file: Evidence, { contract }: Where): boolean {
  try {
    return provenBlocks(file, contract).length > 0;
  } catch (error) {
    if (error instanceof EvidenceError) return false;
    throw error;
  }
}
