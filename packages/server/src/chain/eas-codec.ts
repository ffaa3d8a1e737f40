// Encodes calls of the attestation contract and decodes its logs and answers.
import { decodeAttestation as decode, encodeGetAttestation } from '@svc/verifier';
import {
  decodeFunctionData,
  encodeEventTopics,
  encodeFunctionData,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { Rpc } from './client.ts';
import type { Attestation, AttestationLog, AttestationRequest, Hex, Receipt } from './port.ts';
import { unexpectedAnswer, toBytes, toHash, toNumber, toRecord } from './json-rpc.ts';

/** Text, for its types; a test compares it with the contracts. */
export const easAbi = parseAbi([
  'struct AttestationRequestData { address recipient; uint64 expirationTime; bool revocable; bytes32 refUID; bytes data; uint256 value; }',
  'struct MultiAttestationRequest { bytes32 schema; AttestationRequestData[] data; }',
  'struct RevocationRequestData { bytes32 uid; uint256 value; }',
  'struct MultiRevocationRequest { bytes32 schema; RevocationRequestData[] data; }',
  'function multiAttest(MultiAttestationRequest[] multiRequests) payable returns (bytes32[])',
  'function multiRevoke(MultiRevocationRequest[] multiRequests) payable',
  'function getSchemaRegistry() view returns (address)',
  'event Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)',
  'event Revoked(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)',
]);

export const schemaRegistryAbi = parseAbi([
  'struct SchemaRecord { bytes32 uid; address resolver; bool revocable; string schema; }',
  'function register(string schema, address resolver, bool revocable) returns (bytes32)',
  'function getSchema(bytes32 uid) view returns (SchemaRecord)',
]);

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

export function decodeAttest(schemaUid: Hex, calldata: Hex): AttestationRequest[] | null {
  try {
    const { functionName, args } = decodeFunctionData({ abi: easAbi, data: calldata });
    if (functionName !== 'multiAttest') return null;
    const [[only]] = args;
    const requests = (only?.data ?? []).map(({ data, revocable }) => ({ data, revocable }));
    return encodeAttest(schemaUid, requests) === calldata.toLowerCase() ? requests : null;
  } catch {
    return null;
  }
}

export function logsFilter(
  events: readonly AttestationLog['event'][],
  { contract, schemaUid }: Omit<LogFilter, 'relayer'>,
  relayers: readonly Hex[],
  [from, to]: readonly [Hex, Hex],
) {
  const topics = [events.map(topicOf), null, relayers.map(padded), schemaUid.toLowerCase()];
  return { address: contract, fromBlock: from, toBlock: to, topics };
}

export function decodeLogs(answer: unknown, filter: Omit<LogFilter, 'relayer'>, relayers: readonly Hex[]) {
  if (!Array.isArray(answer)) throw unexpectedAnswer('logs');
  return answer.map(toRecord).flatMap((log) => {
    if (log['removed'] === true || !relayers.some((relayer) => isOurs(log, { ...filter, relayer })))
      return [];
    const event = EVENTS.get(topicsOf(log)[0]!);
    return event ? [{ event, uid: toHash(log['data']), txHash: toHash(log['transactionHash']) }] : [];
  });
}

export function encodeRevoke(schemaUid: Hex, uids: readonly Hex[]): Hex {
  const data = uids.map((uid) => ({ uid, value: 0n }));
  return encodeFunctionData({
    abi: easAbi,
    functionName: 'multiRevoke',
    args: [[{ schema: schemaUid, data }]],
  });
}

export const readAttestation = (rpc: Rpc, to: string, uid: string) =>
  rpc.requestKnown('eth_call', [{ to, data: encodeGetAttestation(uid) }, 'latest'], (answer) =>
    decodeAttestation(uid, answer),
  );

function decodeAttestation(uid: string, answer: unknown): Attestation | null {
  let found;
  try {
    found = decode(answer);
  } catch {
    throw unexpectedAnswer('an attestation');
  }
  if (found !== null && found.uid !== uid.toLowerCase()) throw unexpectedAnswer('the attestation asked for');
  return found;
}

/** Anyone may attest under our schema, and any contract may emit an equal event. */
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

export function decodeReceipt(txHash: Hex, answer: unknown, filter: LogFilter): Receipt | null {
  if (answer === null) return null;
  const receipt = toRecord(answer);
  if (receipt['blockNumber'] === null) return null;
  if (toHash(receipt['transactionHash']) !== txHash.toLowerCase())
    throw unexpectedAnswer('the receipt asked for');
  const blockHash = toHash(receipt['blockHash']);
  if (!Array.isArray(receipt['logs'])) throw unexpectedAnswer('logs');
  const logs = receipt['logs'].map((log) => decodeLog(toRecord(log), { txHash, blockHash }, filter));
  logs.sort((a, b) => a.index - b.index);
  if (new Set(logs.map((log) => log.index)).size !== logs.length) throw unexpectedAnswer('numbered logs');
  return {
    txHash: txHash.toLowerCase() as Hex,
    blockNumber: toNumber(receipt['blockNumber']),
    blockHash,
    succeeded: toNumber(receipt['status']) === 1,
    logs: logs.flatMap((log) => (log.ours ? [log.ours] : [])),
  };
}

function decodeLog(log: Record<string, unknown>, place: { txHash: Hex; blockHash: Hex }, filter: LogFilter) {
  const index = toNumber(log['logIndex']);
  if (
    toHash(log['transactionHash']) !== place.txHash.toLowerCase() ||
    toHash(log['blockHash']) !== place.blockHash
  )
    throw unexpectedAnswer('logs of the same transaction');
  const event = isOurs(log, filter) && EVENTS.get(topicsOf(log)[0]!);
  return event ? { index, ours: { event, uid: toHash(log['data']) } } : { index };
}

const topicsOf = (log: Record<string, unknown>): Hex[] =>
  Array.isArray(log['topics']) ? log['topics'].map(toHash) : [];

function isOurs(log: Record<string, unknown>, filter: LogFilter): boolean {
  const topics = topicsOf(log);
  return (
    toBytes(log['address']) === filter.contract.toLowerCase() &&
    topics.length === 4 &&
    topics[2] === padded(filter.relayer) &&
    topics[3] === filter.schemaUid.toLowerCase()
  );
}

const padded = (address: Hex): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
