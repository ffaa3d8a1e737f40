import { bytesToHex, hexToBytes } from '@svc/protocol';
import { keccak256 } from '@svc/protocol/keccak';
import { ATTESTED_TOPIC } from '../attested-logs.ts';
import { type Header, type Log, readHeader, readLog, receiptInTrie } from './block.ts';
import type { AttestationProof, LogProof, UidPreimage } from './evidence-form.ts';
import { EvidenceError } from './rlp.ts';

/** `Revoked(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)`. */
const REVOKED_TOPIC = '0xf930a6e2523c9cc298691873087a740550b8fc85a0680830414c148ed927f615';

export interface ProvenAttestation {
  uid: string;
  preimage: UidPreimage;
  block: Header;
}

/**
 * Each part fixes the next (docs/protocol.md#48-evidence).
 * @throws {EvidenceError}
 */
export function provenAttestation(proof: AttestationProof, contract: string): ProvenAttestation {
  const { block, log } = provenLog(proof, contract);
  const { preimage } = proof;
  const topics = [
    ATTESTED_TOPIC,
    addressTopic(preimage.recipient),
    addressTopic(preimage.attester),
    preimage.schema,
  ];
  if (log.topics.join() !== topics.join()) throw new EvidenceError('its log is of a different attestation');
  if (preimage.time !== block.time) throw new EvidenceError('its time is not the block’s');
  const uid = uidOf(preimage);
  if (`0x${bytesToHex(log.data)}` !== uid) throw new EvidenceError('its uid is not the hash of its fields');
  return { uid, preimage, block };
}

/** @throws {EvidenceError} */
export function provenRevocation(proof: LogProof, contract: string, attestation: ProvenAttestation): Header {
  const { block, log } = provenLog(proof, contract);
  const { recipient, attester, schema } = attestation.preimage;
  const topics = [REVOKED_TOPIC, addressTopic(recipient), addressTopic(attester), schema];
  if (log.topics.join() !== topics.join() || `0x${bytesToHex(log.data)}` !== attestation.uid)
    throw new EvidenceError('its log is not the revocation of the attestation');
  if (block.time < attestation.block.time) throw new EvidenceError('it was revoked before it was made');
  return block;
}

function provenLog(proof: LogProof, contract: string): { block: Header; log: Log } {
  const block = readHeader(bytes(proof.header));
  const receipt = receiptInTrie(block.receiptsRoot, proof.transaction_index, proof.nodes.map(bytes));
  const log = readLog(receipt, proof.log);
  if (log.address !== contract) throw new EvidenceError('its log is of a different contract');
  return { block, log };
}

/**
 * Keccak-256 of the packed fields.
 * @example
 * uidOf(evidence.commitment.preimage) === evidence.receipt.chain.attestation_uid; // true
 */
export function uidOf(preimage: UidPreimage): string {
  const { schema, recipient, attester, time, expiration_time, revocable, ref_uid, data, bump } = preimage;
  const packed = [
    ...[schema, recipient, attester].map((hex) => hex.slice(2)),
    ...[time, expiration_time].map((seconds) => seconds.toString(16).padStart(16, '0')),
    revocable ? '01' : '00',
    ref_uid.slice(2),
    data.slice(2),
    bump.toString(16).padStart(8, '0'),
  ];
  return `0x${bytesToHex(keccak256(hexToBytes(packed.join(''))))}`;
}

const bytes = (hex: string): Uint8Array => hexToBytes(hex.slice(2));
const addressTopic = (address: string): string => `0x${'0'.repeat(24)}${address.slice(2)}`;
