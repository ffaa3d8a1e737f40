import { bytesToHex, decodeAttestationData, hexToBytes } from '@svc/protocol';
import type { OnchainAttestation } from './chain-reader.ts';
import { type CheckedValue, exact, remark } from './check.ts';
import type { Trust } from './trust.ts';

export interface Expected {
  root: string;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  treeSize: number;
  attesters: readonly string[];
}

/**
 * Always checks the attester, because anyone can attest under the schema
 * (docs/specification.md#merkle-rules).
 * @example
 * const { root, tree_size: treeSize } = receipt.inclusion;
 * const found = await chain.attestation(trust.contract, receipt.chain.attestation_uid, trust.chainId);
 * const expected = { root, kind: 1, treeVersion: 2, treeSize, attesters: trust.relayers };
 * disagreements(found.attestation, expected, trust); // ['its kind is 0, not 1']
 */
export function disagreements(
  found: OnchainAttestation,
  expected: Expected,
  trust: Pick<Trust, 'schemaUid'>,
): string[] {
  const attester = expected.attesters.includes(found.attester)
    ? found.attester
    : expected.attesters.join(' or ');
  return [
    ...difference('schema', found.schema, trust.schemaUid),
    ...difference('attester', found.attester, attester),
    ...dataDisagreements(found.data, expected),
  ];
}

function dataDisagreements(data: string, expected: Expected): string[] {
  try {
    const { root, kind, treeVersion, treeSize } = decodeAttestationData(hexToBytes(data.slice(2)));
    return [
      ...difference('root', bytesToHex(root), expected.root),
      ...difference('kind', kind, expected.kind),
      ...difference('tree version', treeVersion, expected.treeVersion),
      ...difference('tree size', treeSize, expected.treeSize),
    ];
  } catch {
    return ['its data is not what the schema holds'];
  }
}

const difference = <Value extends string | number>(name: string, is: Value, expected: Value): string[] =>
  is === expected ? [] : [`its ${name} is ${is}, not ${expected}`];

export const secondsToTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Null when the data is too short. */
export const attestedRoot = (found: OnchainAttestation): string | null =>
  found.data.length >= 66 ? found.data.slice(2, 66) : null;

export function attestationValues(found: OnchainAttestation, prefix = ''): CheckedValue[] {
  const label = (text: string) => (prefix === '' ? text : `${prefix}: ${text.toLowerCase()}`);
  return [
    exact(label('Attestation'), found.uid),
    exact(label('Attested root'), attestedRoot(found) ?? ''),
    exact(label('Attester'), found.attester),
    remark(label('Block time'), secondsToTime(found.time)),
  ];
}
