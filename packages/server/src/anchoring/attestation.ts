import { encodeAttestationData } from '@svc/protocol';
import type { Attestation, Hex } from '../chain/port.ts';
import { toHex } from './ledger/bytes.ts';

interface Attested {
  root: Uint8Array;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  treeSize: number;
}

/** The data of the attestation that anchors a batch (docs/protocol.md#3-what-an-attestation-holds). */
export function attestationData({ root, kind, treeVersion, treeSize }: Attested): Hex {
  return toHex(encodeAttestationData({ root, kind, treeVersion, treeSize }));
}

/** What is wrong with an attestation that was read back, in words; undefined when it is the one that was meant. */
export function mismatch(
  found: Attestation,
  expected: { uid: Hex; schema: Hex; attester: Hex; data: Hex; revocable: boolean; time: number },
): string | undefined {
  if (found.uid.toLowerCase() !== expected.uid.toLowerCase()) return 'another uid';
  if (found.schema.toLowerCase() !== expected.schema.toLowerCase()) return 'another schema';
  if (found.attester.toLowerCase() !== expected.attester.toLowerCase()) return 'another attester';
  if (found.data.toLowerCase() !== expected.data.toLowerCase()) return 'other data';
  if (found.revocable !== expected.revocable) return 'another revocability';
  if (found.time !== expected.time) return 'another time than its block';
  return undefined;
}
