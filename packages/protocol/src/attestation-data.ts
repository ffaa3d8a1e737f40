import { MAX_TREE_SIZE } from './tree.ts';

/** docs/protocol.md#25-attestation-data */
export const SCHEMA = 'bytes32 root, uint8 kind, uint8 treeVersion, uint32 treeSize';

export const ATTESTATION_DATA_LENGTH = 128;

export interface AttestationData {
  /** the etch's hash if `treeVersion` is 0 */
  root: Uint8Array;
  /** 0 commits, 1 retracts */
  kind: 0 | 1;
  /** 0: one etch without a tree */
  treeVersion: 0 | 1 | 2;
  /** 1 to 10000 */
  treeSize: number;
}

/**
 * The 128 bytes of an attestation (docs/protocol.md#25-attestation-data).
 * @throws {RangeError} when a field is out of its range
 * @example
 * const data = encodeAttestationData({ root: new Uint8Array(32), kind: 0, treeVersion: 2, treeSize: 8 });
 * data.length; // 128
 */
export function encodeAttestationData(data: AttestationData): Uint8Array {
  checkRanges(data);
  const bytes = new Uint8Array(ATTESTATION_DATA_LENGTH);
  bytes.set(data.root, 0);
  bytes[63] = data.kind;
  bytes[95] = data.treeVersion;
  new DataView(bytes.buffer).setUint32(124, data.treeSize);
  return bytes;
}

/**
 * Reverses `encodeAttestationData`.
 * @throws {RangeError} on bytes that `encodeAttestationData` does not write
 * @example
 * const data = encodeAttestationData({ root: new Uint8Array(32), kind: 1, treeVersion: 2, treeSize: 8 });
 * decodeAttestationData(data).kind; // 1
 */
export function decodeAttestationData(bytes: Uint8Array): AttestationData {
  if (bytes.length !== ATTESTATION_DATA_LENGTH) throw new RangeError('attestation data has 128 bytes');
  const isZero = (from: number, to: number) => bytes.subarray(from, to).every((byte) => byte === 0);
  if (!isZero(32, 63) || !isZero(64, 95) || !isZero(96, 124))
    throw new RangeError('attestation data is not canonical');
  const data = {
    root: bytes.slice(0, 32),
    kind: bytes[63] as 0 | 1,
    treeVersion: bytes[95] as 0 | 1 | 2,
    treeSize: new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(124),
  };
  checkRanges(data);
  return data;
}

function checkRanges({ root, kind, treeVersion, treeSize }: AttestationData): void {
  if (root.length !== 32) throw new RangeError('root has 32 bytes');
  if (kind !== 0 && kind !== 1) throw new RangeError('kind is 0 or 1');
  if (treeVersion !== 0 && treeVersion !== 1 && treeVersion !== 2)
    throw new RangeError('treeVersion is 0, 1 or 2');
  const most = treeVersion === 0 ? 1 : MAX_TREE_SIZE;
  if (!Number.isInteger(treeSize) || treeSize < 1 || treeSize > most)
    throw new RangeError(`treeSize is 1 to ${most}`);
}
