import type { ReceiptChain } from '@svc/protocol';

/** Never taken from the evidence. */
export interface Trust {
  chainId: number;
  /** attestation contract */
  contract: string;
  schemaUid: string;
  relayers: readonly string[];
}

const ADDRESS = /^0x[0-9a-f]{40}$/;
const BYTES32 = /^0x[0-9a-f]{64}$/;

/**
 * In lower case.
 * @throws {TypeError} when the trust is malformed or has no relayer
 * @example
 * normalizeTrust({ ...trust, schemaUid: trust.schemaUid.toUpperCase().replace('X', 'x') }); // normalizeTrust(trust)
 */
export function normalizeTrust(trust: Trust): Trust {
  const contract = lower(trust.contract);
  const schemaUid = lower(trust.schemaUid);
  const relayers = trust.relayers.map(lower);
  if (!Number.isSafeInteger(trust.chainId) || trust.chainId < 1)
    throw new TypeError('trust: chainId is not a chain id');
  if (!ADDRESS.test(contract)) throw new TypeError('trust: contract is not an address');
  if (!BYTES32.test(schemaUid)) throw new TypeError('trust: schemaUid is not 32 bytes in hex');
  if (relayers.length === 0) throw new TypeError('trust: no relayer is trusted');
  if (!relayers.every((relayer) => ADDRESS.test(relayer)))
    throw new TypeError('trust: a relayer is not an address');
  return { chainId: trust.chainId, contract, schemaUid, relayers };
}

/** A caller may pass on JSON that it did not check. */
const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

const DEVELOPMENT_CHAINS: ReadonlySet<number> = new Set([1337, 31337]);

/**
 * The owner of a development chain can write any history.
 * @example
 * isDevelopmentChain({ chainId: 31337 }); // true
 */
export const isDevelopmentChain = ({ chainId }: Pick<Trust, 'chainId'>): boolean =>
  DEVELOPMENT_CHAINS.has(chainId);

/**
 * In words. Ignores the order of relayers.
 * @throws {TypeError} when one is malformed
 * @example
 * trustChanges(trust, { ...trust, chainId: 5 }); // ['chain id: 31337 became 5']
 */
export function trustChanges(before: Trust, after: Trust): string[] {
  const [was, is] = [normalizeTrust(before), normalizeTrust(after)];
  const list = ({ relayers }: Trust) => [...new Set(relayers)].sort().join(', ');
  const parts: [name: string, before: string, after: string][] = [
    ['chain id', String(was.chainId), String(is.chainId)],
    ['contract', was.contract, is.contract],
    ['schema', was.schemaUid, is.schemaUid],
    ['relayers', list(was), list(is)],
  ];
  return parts.flatMap(([name, old, now]) => (old === now ? [] : [`${name}: ${old} became ${now}`]));
}

/** The values that the receipt names but the caller does not trust. */
export function distrusted(claims: ReceiptChain, trust: Trust): string[] {
  const faults: string[] = [];
  if (claims.chain_id !== trust.chainId)
    faults.push(`it names chain ${claims.chain_id}, trusted is ${trust.chainId}`);
  if (claims.attestation_contract !== trust.contract)
    faults.push(`it names contract ${claims.attestation_contract}, trusted is ${trust.contract}`);
  if (claims.schema_uid !== trust.schemaUid)
    faults.push(`it names schema ${claims.schema_uid}, trusted is ${trust.schemaUid}`);
  if (!trust.relayers.includes(claims.relayer))
    faults.push(`it names relayer ${claims.relayer}, which is not trusted`);
  return faults;
}
