import { malformed } from './requests/client.ts';

/**
 * `Attested(address indexed recipient, address indexed attester, bytes32 uid, bytes32 indexed schemaUID)`.
 */
export const ATTESTED_TOPIC = '0x8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35';

export interface AttestedLog {
  uid: string;
  attester: string;
  block: number;
}

/** Matches attestations of every attester. */
export function attestedFilter(contract: string, schemaUid: string, from: number, to: number): object {
  return {
    address: contract,
    topics: [ATTESTED_TOPIC, null, null, schemaUid],
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
  };
}

/** A log outside the filter shows a faulty endpoint. @throws {EndpointFault} */
export function readAttestedLogs(
  answer: unknown,
  { contract, schemaUid, from, to }: { contract: string; schemaUid: string; from: number; to: number },
): AttestedLog[] {
  if (!Array.isArray(answer)) throw malformed();
  return answer.flatMap((entry: unknown) => {
    const log = entry as Record<string, unknown> | null;
    if (typeof log !== 'object' || log === null) throw malformed();
    if (log['removed'] === true) return [];
    const topics = Array.isArray(log['topics']) ? log['topics'].map(lower) : [];
    const [uid, block, attester] = [lower(log['data']), numberOf(log['blockNumber']), topics[2] ?? ''];
    const asked =
      lower(log['address']) === contract &&
      topics.length === 4 &&
      topics[0] === ATTESTED_TOPIC &&
      topics[3] === schemaUid &&
      Number.isSafeInteger(block) &&
      block >= from &&
      block <= to;
    if (!asked || !/^0x[0-9a-f]{64}$/.test(uid) || !/^0x0{24}[0-9a-f]{40}$/.test(attester)) throw malformed();
    return [{ uid, attester: `0x${attester.slice(26)}`, block }];
  });
}

export const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

/** In hex, or a number in JSON; NaN for anything else. */
export const numberOf = (value: unknown): number =>
  typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
