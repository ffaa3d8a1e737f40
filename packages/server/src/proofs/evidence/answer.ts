import type { Receipt } from '@svc/protocol';
import { withoutPendingCalendars } from '@svc/timestamp/ots';
import {
  type Evidence,
  EVIDENCE_FORMAT,
  EvidenceError,
  FORMER,
  LOG,
  OTS,
  provenBlocks,
  type Witness,
} from '@svc/verifier/evidence';
import { type Clock, toTime } from '../../db/clock.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { witnessesOf, type WitnessRow } from '../witnesses/store.ts';
import { type EtchLogProof, proveLogged } from '../log/checkpoints.ts';
import { proofOfBatch, type Where } from './assemble.ts';
import { type BatchWithProof, forgetProofs, formerBatches, provenBatches, tryAgain } from './store.ts';
import { REASONS } from './rebuild.ts';

export interface EvidenceDependencies {
  db: Db;
  clock: Clock;
  where: Where;
  origin: string;
}

/** docs/protocol.md#48-evidence. `wait` says why a proof is missing. */
export async function makeEvidence(
  { receipt, former }: { receipt: Receipt; former: readonly Receipt[] },
  { db, clock, where, origin }: EvidenceDependencies,
): Promise<Evidence> {
  const [before, rows, signed, logged] = await Promise.all([
    proveFormer(db, former),
    provenBatches(db, receipt.etch_id),
    witnessesOf(db, receipt.etch_id),
    // Without a quorum, the log is only the service's own word.
    proveLogged(db, origin, receipt.etch_id, { needsQuorum: true }),
  ]);
  const file = withWitnesses(withProofs(receipt, rows, where), before, signed, logged);
  const hashes = rows.map((row) => `0x${row.block_hash.toString('hex')}`);
  if (!blocksOf(file, where)?.every(({ hash }) => hashes.includes(hash))) {
    const ids = rows.map(({ tx_id }) => tx_id);
    await forgetProofs(db, ids);
    return { ...file, commitment: null, tombstone: null, wait: REASONS.made };
  }
  const unproven = rows.filter(({ header }) => header === null).map(({ tx_id }) => tx_id);
  if (file.wait !== undefined) await tryAgain(db, unproven, toTime(clock.now()));
  return file;
}

function withProofs(receipt: Receipt, rows: readonly BatchWithProof[], where: Where): Evidence {
  const { chain, revocation } = receipt;
  const first = proofFor(0, chain.attestation_uid, rows, where);
  const second = revocation === null ? null : proofFor(1, revocation.attestation_uid, rows, where);
  const waits = [first, second].find((found) => typeof found === 'string');
  // A proof of the tombstone is useless without the commitment's.
  const commitment = typeof first === 'string' ? null : first;
  const tombstone = commitment === null || typeof second === 'string' ? null : second;
  const file = { _format: EVIDENCE_FORMAT, receipt, commitment, tombstone } as Evidence;
  return typeof waits === 'string' ? { ...file, wait: waits } : file;
}

function withWitnesses(
  { wait, ...file }: Evidence,
  former: readonly Evidence[],
  rows: readonly WitnessRow[],
  logged: readonly EtchLogProof[],
): Evidence {
  const { chain, revocation } = file.receipt;
  const uids = [chain.attestation_uid, revocation?.kind === 1 ? revocation.attestation_uid : null];
  const stored = rows
    .filter((row) => `0x${row.uid.toString('hex')}` === uids[row.of])
    .map(({ of, kind, proof }) =>
      witnessOf(of, kind, kind === OTS.witness ? withoutPendingCalendars(proof) : proof),
    );
  const cosigned = logged
    .filter(({ kind }) => uids[kind] !== null)
    .map(({ kind, proof }) => witnessOf(kind, LOG.witness, Buffer.from(proof)));
  const before = former.map((proven) => witnessOf(0, FORMER, Buffer.from(JSON.stringify(proven))));
  const witnesses = [...before, ...stored, ...cosigned];
  return { ...file, ...(witnesses.length > 0 && { witnesses }), ...(wait !== undefined && { wait }) };
}

const witnessOf = (of: 0 | 1, kind: string, proof: Uint8Array): Witness => ({
  of: of === 0 ? 'commitment' : 'tombstone',
  kind,
  proof: `0x${Buffer.from(proof).toString('hex')}`,
});

/** Null if the file proves nothing. */
function blocksOf(file: Evidence, { contract }: Pick<Where, 'contract'>) {
  try {
    return provenBlocks(file, contract);
  } catch (error) {
    if (error instanceof EvidenceError) return null;
    throw error;
  }
}

function proofFor(kind: 0 | 1, uid: string | null, rows: readonly BatchWithProof[], where: Where) {
  if (uid === null) return REASONS.pending;
  const row = rows.find((one) => one.kind === kind);
  if (row === undefined || `0x${row.uid.toString('hex')}` !== uid) return REASONS.made;
  if (row.header === null) return row.wait ?? REASONS.made;
  return proofOfBatch(row, row, where) ?? REASONS.made;
}

/** A file has at most 16 witnesses, and the other kinds need seven. */
const MOST = 8;

async function proveFormer(db: Queryable, receipts: readonly Receipt[]): Promise<Evidence[]> {
  const [first] = receipts;
  if (first === undefined) return [];
  const rows = await formerBatches(db, first.etch_id);
  return receipts.slice(0, MOST).flatMap((receipt) => {
    const { chain_id, attestation_contract: contract, schema_uid: schemaUid } = receipt.chain;
    const there = rows.filter((row) => row.chain_id === chain_id);
    const { wait: _, ...file } = withProofs(receipt, there, { contract, schemaUid });
    return file.commitment !== null && (blocksOf(file, { contract }) ?? []).length > 0 ? [file] : [];
  });
}
