import { decodeFunctionResult, encodeEventTopics, encodeFunctionData, zeroAddress, zeroHash } from 'viem';
import { easAbi } from './eas-abi.ts';
import type { Attestation, AttestationLog, AttestationRequest, Hex, Receipt } from './port.ts';
import { nonsense, toBytes, toHash, toNumber, toRecord } from './rpc-values.ts';

/** The calldata of one `multiAttest` with one schema: no recipient, no expiry, no reference, no value. */
export function encodeAttest(schemaUid: Hex, requests: readonly AttestationRequest[]): Hex {
  const data = requests.map((request) => ({
    recipient: zeroAddress,
    expirationTime: 0n,
    revocable: request.revocable,
    refUID: zeroHash,
    data: request.data,
    value: 0n,
  }));
  return encodeFunctionData({
    abi: easAbi,
    functionName: 'multiAttest',
    args: [[{ schema: schemaUid, data }]],
  });
}

/** The calldata of one `multiRevoke` of attestations under one schema. */
export function encodeRevoke(schemaUid: Hex, uids: readonly Hex[]): Hex {
  const data = uids.map((uid) => ({ uid, value: 0n }));
  return encodeFunctionData({
    abi: easAbi,
    functionName: 'multiRevoke',
    args: [[{ schema: schemaUid, data }]],
  });
}

export function encodeGetAttestation(uid: Hex): Hex {
  return encodeFunctionData({ abi: easAbi, functionName: 'getAttestation', args: [uid] });
}

/** `null` for an attestation the node does not know: the contract then answers zeros. */
export function decodeAttestation(uid: Hex, answer: unknown): Attestation | null {
  const bytes = toBytes(answer);
  let found;
  try {
    found = decodeFunctionResult({ abi: easAbi, functionName: 'getAttestation', data: bytes });
  } catch {
    throw nonsense('an attestation'); // no contract there, or not this one
  }
  if (found.uid === zeroHash) return null;
  if (found.uid !== uid.toLowerCase()) throw nonsense('the attestation asked for');
  return {
    uid: found.uid,
    schema: found.schema,
    attester: found.attester.toLowerCase() as Hex,
    time: Number(found.time),
    revocationTime: Number(found.revocationTime),
    revocable: found.revocable,
    data: found.data,
  };
}

/** Whose logs count: anyone may attest under our schema, and any contract may emit an event that looks the same. */
export interface LogFilter {
  contract: Hex;
  relayer: Hex;
  schemaUid: Hex;
}

const topicOf = (eventName: AttestationLog['event']) => encodeEventTopics({ abi: easAbi, eventName })[0];
const EVENTS = new Map<Hex, AttestationLog['event']>([
  [topicOf('Attested'), 'Attested'],
  [topicOf('Revoked'), 'Revoked'],
]);

/** `null` while the transaction is not in a block. Keeps only the logs that `filter` lets through, in log order. */
export function decodeReceipt(txHash: Hex, answer: unknown, filter: LogFilter): Receipt | null {
  if (answer === null) return null;
  const receipt = toRecord(answer);
  if (receipt['blockNumber'] === null) return null;
  if (toHash(receipt['transactionHash']) !== txHash.toLowerCase()) throw nonsense('the receipt asked for');
  const blockHash = toHash(receipt['blockHash']);
  if (!Array.isArray(receipt['logs'])) throw nonsense('logs');
  const logs = receipt['logs'].map((log) => decodeLog(toRecord(log), { txHash, blockHash }, filter));
  logs.sort((a, b) => a.index - b.index);
  if (new Set(logs.map((log) => log.index)).size !== logs.length) throw nonsense('numbered logs');
  return {
    txHash: txHash.toLowerCase() as Hex,
    blockNumber: toNumber(receipt['blockNumber']),
    blockHash,
    succeeded: toNumber(receipt['status']) === 1,
    logs: logs.flatMap((log) => (log.ours ? [log.ours] : [])),
  };
}

function decodeLog(
  log: Record<string, unknown>,
  place: { txHash: Hex; blockHash: Hex },
  filter: LogFilter,
): { index: number; ours?: AttestationLog } {
  const index = toNumber(log['logIndex']);
  if (
    toHash(log['transactionHash']) !== place.txHash.toLowerCase() ||
    toHash(log['blockHash']) !== place.blockHash
  )
    throw nonsense('logs of the same transaction');
  const topics = Array.isArray(log['topics']) ? log['topics'].map(toHash) : [];
  const event = topics[0] && EVENTS.get(topics[0]);
  const isOurs =
    toBytes(log['address']) === filter.contract.toLowerCase() &&
    topics.length === 4 &&
    topics[2] === `0x${filter.relayer.slice(2).toLowerCase().padStart(64, '0')}` &&
    topics[3] === filter.schemaUid.toLowerCase();
  return event && isOurs ? { index, ours: { event, uid: toHash(log['data']) } } : { index };
}
