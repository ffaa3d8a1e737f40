import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  zeroAddress,
  zeroHash,
} from 'viem';
import { easAbi } from './eas-abi.ts';
import type { Attestation, AttestationLog, AttestationRequest, Hex, Receipt } from './port.ts';
import { nonsense, toBytes, toHash, toNumber, toRecord } from './rpc-values.ts';

/** Calldata of one `multiAttest` with one schema, without recipient, expiry, reference or value. */
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

/** The attestations in a `multiAttest` of ours; null for any other calldata. */
export function decodeAttest(schemaUid: Hex, calldata: Hex): AttestationRequest[] | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: easAbi, data: calldata });
    if (functionName !== 'multiAttest') return null;
    const [[only]] = args;
    const requests = (only?.data ?? []).map(({ data, revocable }) => ({ data, revocable }));
    // Encoding it again must give the same bytes, else it has another schema, recipient or reference.
    return encodeAttest(schemaUid, requests) === calldata.toLowerCase() ? requests : null;
  } catch {
    return null;
  }
}

/** The `eth_getLogs` filter for attestations by our relayer under our schema. */
export function attestedFilter({ contract, relayer, schemaUid }: LogFilter, from: Hex, to: Hex) {
  const topics = [topicOf('Attested'), null, padded(relayer), schemaUid.toLowerCase()];
  return { address: contract, fromBlock: from, toBlock: to, topics };
}

/** The transactions in the answer to an `attestedFilter`. */
export function decodeAttestedIn(answer: unknown, filter: LogFilter): Hex[] {
  if (!Array.isArray(answer)) throw nonsense('logs');
  return answer.map(toRecord).flatMap((log) => {
    if (log['removed'] === true || !isOurs(log, filter)) return [];
    return [toHash(log['transactionHash'])];
  });
}

/** The `eth_getLogs` filter for attestations and revocations by these relayers under our schema. */
export function attestationsFilter(
  { contract, schemaUid }: Omit<LogFilter, 'relayer'>,
  relayers: readonly Hex[],
  { from, to }: { from: Hex; to: Hex },
) {
  const topics = [[...EVENTS.keys()], null, relayers.map(padded), schemaUid.toLowerCase()];
  return { address: contract, fromBlock: from, toBlock: to, topics };
}

/** The logs in the answer to an `attestationsFilter`. */
export function decodeAttestationsIn(
  answer: unknown,
  filter: Omit<LogFilter, 'relayer'>,
  relayers: readonly Hex[],
): AttestationLog[] {
  if (!Array.isArray(answer)) throw nonsense('logs');
  return answer.map(toRecord).flatMap((log) => {
    if (log['removed'] === true || !relayers.some((relayer) => isOurs(log, { ...filter, relayer })))
      return [];
    const event = EVENTS.get(topicsOf(log)[0]!);
    return event ? [{ event, uid: toHash(log['data']) }] : [];
  });
}

/** Calldata of one `multiRevoke` of attestations under one schema. */
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

/** null if the node does not know the attestation: the contract then answers zeros. */
export function decodeAttestation(uid: Hex, answer: unknown): Attestation | null {
  const bytes = toBytes(answer);
  let found;
  try {
    found = decodeFunctionResult({ abi: easAbi, functionName: 'getAttestation', data: bytes });
  } catch {
    throw nonsense('an attestation'); // no contract there, or another one
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

/** Which logs count: anyone may attest under our schema, and any contract may emit an equal event. */
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

/** null while the transaction is in no block. Keeps only the logs that pass `filter`, in log order. */
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
  const event = isOurs(log, filter) && EVENTS.get(topicsOf(log)[0]!);
  return event ? { index, ours: { event, uid: toHash(log['data']) } } : { index };
}

function topicsOf(log: Record<string, unknown>): Hex[] {
  return Array.isArray(log['topics']) ? log['topics'].map(toHash) : [];
}

function isOurs(log: Record<string, unknown>, filter: LogFilter): boolean {
  const topics = topicsOf(log);
  return (
    toBytes(log['address']) === filter.contract.toLowerCase() &&
    topics.length === 4 &&
    topics[2] === padded(filter.relayer) &&
    topics[3] === filter.schemaUid.toLowerCase()
  );
}

function padded(address: Hex): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}
