import { encodePacked, keccak256, zeroAddress } from 'viem';
import type { Hex } from './port.ts';

/** The schema of every attestation (docs/protocol.md): what `kind` 0 commits and `kind` 1 retracts. */
export const ATTESTATION_SCHEMA = 'bytes32 root, uint8 kind, uint8 treeVersion, uint32 treeSize';

/** The uid under which the registry keeps a schema; it depends on nothing else, so it is the same on every chain. */
export function schemaUidOf(schema: string, resolver: Hex = zeroAddress, revocable = true): Hex {
  return keccak256(encodePacked(['string', 'address', 'bool'], [schema, resolver, revocable]));
}
