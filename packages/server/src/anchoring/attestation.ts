import { bytesToHex, encodeAttestationData } from '@svc/protocol';
import { disagreements } from '@svc/verifier';
import type { Attestation, Hex } from '../chain/port.ts';
import { toHex } from './ledger/bytes.ts';

interface Attested {
  root: Uint8Array;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  treeSize: number;
}

export function attestationData({ root, kind, treeVersion, treeSize }: Attested): Hex {
  return toHex(encodeAttestationData({ root, kind, treeVersion, treeSize }));
}

export interface Meant extends Attested {
  uid: Hex;
  schema: Hex;
  attester: Hex;
  revocable: boolean;
  time: number;
}

/** Returns the difference. The verifier uses the same comparison, so both agree on `anchored`. */
export function mismatch(found: Attestation, meant: Meant): string | undefined {
  const [uid, schema, attester] = [found.uid, found.schema, found.attester].map((hex) => hex.toLowerCase());
  if (uid !== meant.uid.toLowerCase()) return 'a different uid';
  const read = { ...found, uid, schema: schema!, attester: attester!, data: found.data.toLowerCase() };
  const { kind, treeVersion, treeSize } = meant;
  const [schemaUid, relayer] = [meant.schema.toLowerCase(), meant.attester.toLowerCase()];
  const expected = { root: bytesToHex(meant.root), kind, treeVersion, treeSize, attesters: [relayer] };
  if (disagreements(read, expected, { schemaUid }).length > 0) {
    if (schema !== schemaUid) return 'a different schema';
    return attester === relayer ? 'other data' : 'a different attester';
  }
  if (found.revocable !== meant.revocable) return 'a different revocability';
  if (found.time !== meant.time) return 'a time that is not its block’s';
  return undefined;
}
