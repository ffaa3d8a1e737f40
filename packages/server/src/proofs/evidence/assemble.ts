// Makes the proof of one attestation from the stored proof of its transaction.
import { encodeAttestationData } from '@svc/protocol';
import { type AttestationProof, type LogProof, uidOf } from '@svc/verifier/evidence';
import { fromRlp, keccak256, stringToBytes, toHex } from 'viem';
import type { Hex } from '../../chain/port.ts';
import type { BatchRow, KeptProof } from './store.ts';

export interface Where {
  contract: string;
  schemaUid: string;
}

const ATTESTED = keccak256(stringToBytes('Attested(address,address,bytes32,bytes32)'));
const REVOKED = keccak256(stringToBytes('Revoked(address,address,bytes32,bytes32)'));
const MOST_BUMPS = 256;

type Nested = Hex | readonly Nested[];

const uint = (bytes: Nested | undefined): number => Number(typeof bytes === 'string' ? bytes : 'none');

export function proofOfBatch(
  kept: KeptProof,
  batch: BatchRow,
  where: Where,
): AttestationProof | LogProof | undefined {
  const header = fromRlp(toHex(kept.header), 'hex') as readonly Nested[];
  const nodes = fromRlp(toHex(kept.nodes), 'hex') as readonly Hex[];
  const revokes = batch.kind === 1 && batch.treeVersion === 0;
  const log = placeOfLog(nodes.at(-1)!, revokes ? REVOKED : ATTESTED, batch, where);
  if (log < 0) return undefined;
  const proof = {
    header: toHex(kept.header),
    transaction_index: kept.transaction_index,
    nodes: [...nodes],
    log,
  };
  if (revokes) return proof;
  const preimage = preimageOf(batch, uint(header[11]), where);
  return preimage && { ...proof, preimage };
}

function placeOfLog(leaf: Hex, topic: Hex, batch: BatchRow, { contract, schemaUid }: Where): number {
  const [, value] = fromRlp(leaf, 'hex') as [Hex, Hex];
  const list: Hex = parseInt(value.slice(2, 4), 16) < 0x80 ? `0x${value.slice(4)}` : value;
  const [, , , logs] = fromRlp(list, 'hex') as [Hex, Hex, Hex, [Hex, Hex[], Hex][]];
  const attester = `0x${batch.sender.toString('hex').padStart(64, '0')}`;
  const topics = [topic, `0x${'0'.repeat(64)}`, attester, schemaUid.toLowerCase()].join();
  return logs.findIndex(
    ([address, found, data]) =>
      address === contract.toLowerCase() && found.join() === topics && data === toHex(batch.uid),
  );
}

function preimageOf(batch: BatchRow, time: number, { schemaUid }: Where) {
  const preimage = {
    schema: schemaUid.toLowerCase() as Hex,
    recipient: `0x${'0'.repeat(40)}`,
    attester: toHex(batch.sender),
    time,
    expiration_time: 0,
    revocable: batch.treeVersion === 0,
    ref_uid: `0x${'0'.repeat(64)}`,
    data: toHex(encodeAttestationData(batch)),
  } as const;
  for (let bump = 0; bump < MOST_BUMPS; bump++)
    if (uidOf({ ...preimage, bump }) === toHex(batch.uid)) return { ...preimage, bump };
  return undefined;
}
