import { decodeAttestationData, ATTESTATION_DATA_LENGTH, type AttestationData } from '../attestation-data.ts';
import { foldLogProof } from '../conventions/log-tree.ts';
import { concatBytes } from '@noble/hashes/utils.js';
import { hexToBytes } from '../hex.ts';
import { fromPadded, toPadded } from '../timelock/base64.ts';
import { compareBytes, etchLeaf, foldProof, isPossibleLength, MAX_PROOF_LENGTH } from '../tree.ts';
import { type Checkpoint, cosignatureTime, parseCheckpoint, parseSize } from './checkpoint.ts';
import { isSignedBy, TlogError } from './note.ts';
import { type Policy, quorumTime } from './policy.ts';
import { entryHash } from './tree-proofs.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';
const MOST_HASHES = 63;

/** C2SP tlog-proof. */
export interface TlogProof {
  /** the log entry, 128 bytes */
  data: Uint8Array;
  /** from the etch to the root in `data` */
  path: Uint8Array[];
  index: number;
  /** from the entry up */
  inclusion: Uint8Array[];
  /** with its signatures */
  checkpoint: string;
}

/**
 * @example
 * writeTlogProof(parseTlogProof(proof)); // proof
 */
export function writeTlogProof({ data, path, index, inclusion, checkpoint }: TlogProof): string {
  const lines = [
    HEADER,
    `extra ${toPadded(concatBytes(data, ...path))}`,
    `index ${index}`,
    ...inclusion.map(toPadded),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/**
 * Checks no hash and no signature.
 * @throws {TlogError}
 * @example
 * parseTlogProof(proof).index; // 40
 */
export function parseTlogProof(text: string): TlogProof {
  const cut = text.indexOf('\n\n');
  const [header, extra, index, ...hashes] = text.slice(0, Math.max(cut, 0)).split('\n');
  if (cut < 0 || header !== HEADER) throw new TlogError(`a proof begins with ${HEADER}`);
  const bytes = extra?.startsWith('extra ') ? fromPadded(extra.slice(6)) : null;
  const pathLength = bytes === null ? -1 : (bytes.length - ATTESTATION_DATA_LENGTH) / 32;
  if (bytes === null || !Number.isInteger(pathLength) || pathLength < 0 || pathLength > MAX_PROOF_LENGTH)
    throw new TlogError('the extra data is not 128 bytes of an attestation and at most 14 hashes');
  if (index === undefined || !index.startsWith('index ') || hashes.length > MOST_HASHES)
    throw new TlogError(`a proof has an index and at most ${MOST_HASHES} hashes`);
  const inclusion = hashes.map((line) => {
    const hash = fromPadded(line);
    if (hash?.length !== 32) throw new TlogError('a hash of the proof is not 32 bytes in base64');
    return hash;
  });
  const path = Array.from({ length: pathLength }, (_, at) => bytes.slice(128 + 32 * at, 160 + 32 * at));
  return {
    data: bytes.slice(0, ATTESTATION_DATA_LENGTH),
    path,
    inclusion,
    index: parseSize(index.slice(6)),
    checkpoint: text.slice(cut + 2),
  };
}

export interface TlogFinding {
  /** when the quorum had cosigned, seconds since 1970; null: no quorum; 0: `quorum none` */
  time: number | null;
  /** the policy's names of those with a valid cosignature */
  witnesses: string[];
  checkpoint: Checkpoint;
}

/**
 * @param etch `kind` 1: for the retraction
 * @param now seconds since 1970; later cosignatures do not count
 * @throws {TlogError} when the proof is wrong, for a different etch, or from an unlisted log
 * @example
 * checkTlogProof(proof, etch, parsePolicy(policy), 2e9).witnesses; // ['one', 'two']
 */
export function checkTlogProof(
  text: string,
  etch: { hash: string; userId: string; kind: 0 | 1 },
  policy: Policy,
  now: number,
): TlogFinding {
  const { data, path, index, inclusion, checkpoint: note } = parseTlogProof(text);
  if (!leadsTo(decoded(data), path, etch))
    throw new TlogError('the entry of the log is a tree without this etch');
  const checkpoint = parseCheckpoint(note);
  const root = foldLogProof(entryHash(data), index, checkpoint.size, inclusion);
  if (root === null || compareBytes(root, checkpoint.root) !== 0)
    throw new TlogError('the entry is not in the log that the checkpoint describes');
  const keys = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) throw new TlogError(`the policy has no log ${checkpoint.origin}`);
  if (!isSignedBy(checkpoint, keys))
    throw new TlogError('the signature of the log on the checkpoint is wrong');
  const times = cosignaturesOf(checkpoint, policy, now);
  return { time: quorumTime(policy, times), witnesses: [...times.keys()], checkpoint };
}

/**
 * The earliest valid cosignature of each witness, in seconds since 1970.
 * @throws {TlogError} on a wrong cosignature of a known key
 * @example
 * const checkpoint = parseCheckpoint(parseTlogProof(proof).checkpoint);
 * cosignaturesOf(checkpoint, parsePolicy(policy), 2e9).get('one'); // 1800000000
 */
export function cosignaturesOf(
  checkpoint: Checkpoint,
  { witnesses }: Policy,
  now: number,
): Map<string, number> {
  const times = new Map<string, number>();
  for (const signature of checkpoint.signatures)
    for (const { name, key } of witnesses) {
      if (key.name !== signature.name || key.id !== signature.keyId) continue;
      const time = cosignatureTime(checkpoint.text, signature, key);
      if (time === null) throw new TlogError(`the cosignature of the witness ${name} is wrong`);
      if (time > 0 && time <= now) times.set(name, Math.min(time, times.get(name) ?? Infinity));
    }
  return times;
}

function decoded(data: Uint8Array): AttestationData {
  try {
    return decodeAttestationData(data);
  } catch {
    throw new TlogError('the entry of the log is not the data of an attestation');
  }
}

function leadsTo(
  { root, kind, treeVersion, treeSize }: AttestationData,
  path: readonly Uint8Array[],
  etch: { hash: string; userId: string; kind: 0 | 1 },
): boolean {
  if (kind !== etch.kind || !isPossibleLength(path.length, treeSize)) return false;
  // Without a tree, a revocation is the retraction.
  if (treeVersion === 0) return kind === 0 && compareBytes(root, hexToBytes(etch.hash)) === 0;
  return compareBytes(foldProof(etchLeaf(treeVersion, etch.userId, etch.hash), path), root) === 0;
}
