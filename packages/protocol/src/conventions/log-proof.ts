import { fromPadded } from '../timelock/base64.ts';
import { bytesToHex, hexToBytes, isHex, isUuid } from '../hex.ts';
import type { Sha256 } from '../tree.ts';
import { foldLogProof, logLeaf } from './log-tree.ts';
import { ConventionError } from './plain-text.ts';

export const LOG_PROOF_FORMAT = 'svc-log-proof:v1';
/** A log of 2^50 lines. */
const MAX_PATH = 50;
const LF = 10;
const CR = 13;

export interface LogProof {
  _format: typeof LOG_PROOF_FORMAT;
  /** its words name the root */
  etch: string;
  root: string;
  lines: number;
  /** from 1 */
  number: number;
  /** base64 */
  line: string;
  salt: string;
  /** from the leaf up */
  proof: string[];
}

/**
 * Checks that the line is under the root. The caller checks that the etch names the root.
 * @throws {ConventionError} on anything malformed, or a line that is not under the root
 * @example
 * const salt = new Uint8Array(32);
 * const root = bytesToHex(logLeaf(salt, new TextEncoder().encode('started')));
 * const proof = { root, lines: 1, number: 1, line: 'c3RhcnRlZA==', salt: bytesToHex(salt), proof: [] };
 * const etch = 'ba2700ee-b11f-45fe-a934-06098975d379';
 * parseLogProof({ _format: LOG_PROOF_FORMAT, etch, ...proof }).number; // 1
 */
export function parseLogProof(value: unknown, sha256?: Sha256): LogProof {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { _format, etch, root, lines, number, line, salt, proof } = fields;
  if (_format !== LOG_PROOF_FORMAT)
    throw new ConventionError(`_format of the proof is not ${LOG_PROOF_FORMAT}`);
  if (!isUuid(etch)) throw new ConventionError('etch of the proof is not the id of an etch');
  if (!isHex(root, 32) || !isHex(salt, 32))
    throw new ConventionError('root and salt of the proof are 64 lower-case hex digits');
  if (!isCount(lines) || !isCount(number) || number > lines)
    throw new ConventionError('number of the proof is not a line from 1 to its lines');
  const bytes = typeof line === 'string' ? fromPadded(line) : null;
  if (bytes === null) throw new ConventionError('line of the proof is not padded base64');
  // A CR may precede the LF.
  if (bytes.slice(0, -1).some((byte) => byte === LF || byte === CR) || bytes.at(-1) === LF)
    throw new ConventionError('line of the proof has a line feed or a carriage return');
  const isPath = Array.isArray(proof) && proof.length <= MAX_PATH && proof.every((one) => isHex(one, 32));
  if (!isPath) throw new ConventionError('proof of the proof file is not a list of hashes');
  const leaf = logLeaf(hexToBytes(salt), bytes, sha256);
  const folded = foldLogProof(leaf, number - 1, lines, proof.map(hexToBytes), sha256);
  if (folded === null || bytesToHex(folded) !== root)
    throw new ConventionError(`line ${number} of the proof is not under the root ${root}`);
  return { _format: LOG_PROOF_FORMAT, etch, root, lines, number, line: line as string, salt, proof };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
