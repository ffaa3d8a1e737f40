// Reads each attestation of a mined transaction from the contract and compares it with the plan.
import {
  type AttestationData,
  bytesToHex,
  decodeAttestationData,
  encodeAttestationData,
  hexToBytes,
} from '@svc/protocol';
import { disagreements } from '@svc/verifier';
import type { Attestation, Hex } from '../../chain/port.ts';
import type { Mined, ReadBack } from '../decide/decision.ts';
import { mapAtOnce } from '../../platform/flow/time-slices.ts';
import { toHex } from '../ledger/bytes.ts';
import type { Anchored } from '../ledger/transitions.ts';
import { batchesOf, type LedgerTx, revokedCommitments } from '../ledger/transactions.ts';
import type { Work } from '../work.ts';

export const readBack = (work: Work, tx: LedgerTx, mined: Mined): Promise<ReadBack> =>
  tx.action === 'revoke' ? readRevocations(work, tx) : readAttestations(work, tx, mined);

async function readAttestations(work: Work, tx: LedgerTx, { receipt, block }: Mined): Promise<ReadBack> {
  const batches = await batchesOf(work.db, tx.id);
  const uids = receipt.logs.filter((entry) => entry.event === 'Attested').map((entry) => entry.uid);
  const sent = work.chain.decodeAttest(tx.calldata)?.length ?? batches.length;
  if (uids.length !== sent || new Set(uids).size !== uids.length)
    return doubt(`${uids.length} attestations were logged where ${sent} were sent`);
  const ours = batches.map((batch) => uids[batch.position]!);
  const found = await readAll(work, ours);
  for (const [at, batch] of batches.entries()) {
    const attestation = found[at];
    if (!attestation) return doubt('an attestation cannot be read back yet');
    const wrong = mismatch(attestation, {
      ...batch,
      uid: ours[at]!,
      schema: work.chain.schemaUid,
      attester: tx.sender,
      revocable: batch.treeVersion === 0,
      time: block.timestamp,
    });
    if (wrong) return doubt(`an attestation read back has ${wrong}`);
  }
  const anchored = batches.map((batch, at) => ({ batchId: batch.id, uid: ours[at]!, time: block.timestamp }));
  return { verdict: 'holds', anchored };
}

async function readRevocations(work: Work, tx: LedgerTx): Promise<ReadBack> {
  const rows = (await revokedCommitments(work.db, tx.id)).filter((row) => !row.done);
  if (rows.some((row) => !row.uid)) return { verdict: 'pending' };
  const uids = rows.map((row) => row.uid!);
  const found = await readAll(work, uids);
  const anchored: Anchored[] = [];
  for (const [at, row] of rows.entries()) {
    const attestation = found[at];
    if (!attestation) return doubt('a revoked attestation cannot be read back yet');
    if (attestation.uid.toLowerCase() !== uids[at])
      return doubt('an attestation read back has a different uid');
    if (attestation.revocationTime > 0)
      anchored.push({ batchId: row.batch_id, uid: uids[at], time: attestation.revocationTime });
  }
  return { verdict: anchored.length === rows.length ? 'holds' : 'unrevoked', anchored };
}

const doubt = (what: string): ReadBack => ({ verdict: 'doubt', what });

const READS_AT_ONCE = 10;

const readAll = ({ chain }: Work, uids: readonly Hex[]) =>
  mapAtOnce(uids, READS_AT_ONCE, (uid) => chain.attestation(uid));

export const attestationData = (tree: AttestationData): Hex => toHex(encodeAttestationData(tree));

/** Null for data that this service does not write. */
export function readAttestationData(data: string): AttestationData | null {
  try {
    return decodeAttestationData(hexToBytes(data.slice(2)));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export interface ExpectedAttestation extends AttestationData {
  uid: Hex;
  schema: Hex;
  attester: Hex;
  revocable: boolean;
  time: number;
}

/** Returns the difference. The verifier uses the same comparison, so both agree on `anchored`. */
export function mismatch(found: Attestation, meant: ExpectedAttestation): string | undefined {
  const [uid, schema, attester] = [found.uid, found.schema, found.attester].map((hex) => hex.toLowerCase());
  if (uid !== meant.uid.toLowerCase()) return 'a different uid';
  const read = { ...found, uid, schema: schema!, attester: attester!, data: found.data.toLowerCase() };
  const { kind, treeVersion, treeSize } = meant;
  const [schemaUid, relayer] = [meant.schema.toLowerCase(), meant.attester.toLowerCase()];
  const expected = { root: bytesToHex(meant.root), kind, treeVersion, treeSize, attesters: [relayer] };
  if (disagreements(read, expected, { schemaUid }).length > 0) {
    if (schema !== schemaUid) return 'a different schema';
    return attester === relayer ? 'other data' : 'a different attester';
  }
  if (found.revocable !== meant.revocable) return 'a different revocability';
  if (found.time !== meant.time) return 'a time that is not its block’s';
  return undefined;
}
