import { parseWholeReceipt } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { EvidenceError } from './rlp.ts';

export const EVIDENCE_FORMAT = 'svc-evidence:v1';

/** Hex is lower case with `0x`. */
export interface LogProof {
  /** header in RLP */
  header: string;
  transaction_index: number;
  /** receipt trie, from root to leaf */
  nodes: string[];
  /** position in that receipt */
  log: number;
}

export interface UidPreimage {
  schema: string;
  recipient: string;
  attester: string;
  /** seconds since 1970, as `expiration_time` */
  time: number;
  expiration_time: number;
  revocable: boolean;
  ref_uid: string;
  data: string;
  bump: number;
}

export interface AttestationProof extends LogProof {
  preimage: UidPreimage;
}

export interface Witness {
  of: 'commitment' | 'tombstone';
  /** `rfc3161`: token over the 128 bytes; `ots`: OpenTimestamps file of their SHA-256 */
  kind: string;
  proof: string;
}

export interface Evidence {
  _format: typeof EVIDENCE_FORMAT;
  receipt: Receipt;
  commitment: AttestationProof | null;
  /** without a tree: the proof of the revocation */
  tombstone: AttestationProof | LogProof | null;
  witnesses?: Witness[];
  /** why a proof is missing; such a file cannot pass */
  wait?: string;
}

/**
 * Rejects unknown fields, so that every byte is checked.
 * @throws {EvidenceError}
 * @throws {ReceiptError}
 * @example
 * parseEvidence(evidence).receipt.status; // 'revealed'
 */
export function parseEvidence(value: unknown): Evidence {
  const has = (name: string) => typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  const waits = has('wait');
  const file = object(value, 'the evidence', [...FILE, ...['witnesses', 'wait'].filter(has)]);
  if (file['_format'] !== EVIDENCE_FORMAT) throw new EvidenceError(`_format is not ${EVIDENCE_FORMAT}`);
  const receipt = parseWholeReceipt(file['receipt']);
  const { commitment, tombstone } = file;
  if (commitment !== null && receipt.chain.attestation_uid === null)
    throw new EvidenceError('commitment must be null while the attestation is pending');
  if (tombstone !== null && (receipt.revocation === null || commitment === null))
    throw new EvidenceError('tombstone must be null without a retraction, and without a commitment');
  if (waits && commitment !== null && (receipt.revocation === null || tombstone !== null))
    throw new EvidenceError('wait must be absent when the file has every proof');
  return {
    _format: EVIDENCE_FORMAT,
    receipt,
    commitment: commitment === null ? null : attestationProof(commitment, 'commitment'),
    tombstone:
      tombstone === null
        ? null
        : receipt.revocation?.kind === 1
          ? attestationProof(tombstone, 'tombstone')
          : logProof(tombstone, 'tombstone', []),
    ...(has('witnesses') ? { witnesses: witnesses(file['witnesses'], receipt) } : {}),
    ...(waits ? { wait: reason(file['wait']) } : {}),
  };
}

const MOST_WITNESSES = 16;

function witnesses(value: unknown, receipt: Receipt): Witness[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_WITNESSES)
    throw new EvidenceError(`witnesses is not a list of 1 to ${MOST_WITNESSES}`);
  return value.map((one, at) => {
    const path = `witnesses[${at}]`;
    const { of, kind, proof } = object(one, path, ['of', 'kind', 'proof']);
    if (of !== 'commitment' && of !== 'tombstone')
      throw new EvidenceError(`${path}.of is neither commitment nor tombstone`);
    if (of === 'tombstone' && receipt.revocation?.kind !== 1)
      throw new EvidenceError(`${path}.of must not be tombstone: the receipt has none`);
    if (typeof kind !== 'string' || !/^[a-z0-9-]{1,32}$/.test(kind))
      throw new EvidenceError(
        `${path}.kind is not a word of at most 32 lower-case letters, digits and hyphens`,
      );
    return { of, kind, proof: hex(proof, `${path}.proof`) };
  });
}

const FILE = ['_format', 'receipt', 'commitment', 'tombstone'];
const LOG_PROOF = ['header', 'transaction_index', 'nodes', 'log'];
const PREIMAGE = [
  'schema',
  'recipient',
  'attester',
  'time',
  'expiration_time',
  'revocable',
  'ref_uid',
  'data',
  'bump',
];
const MOST_NODES = 16;
const SECONDS = Number.MAX_SAFE_INTEGER;

function logProof(value: unknown, path: string, more: readonly string[]): LogProof {
  const fields = object(value, path, [...LOG_PROOF, ...more]);
  const nodes = fields['nodes'];
  if (!Array.isArray(nodes) || nodes.length === 0 || nodes.length > MOST_NODES)
    throw new EvidenceError(`${path}.nodes is not a list of 1 to ${MOST_NODES} nodes`);
  return {
    header: hex(fields['header'], `${path}.header`),
    transaction_index: integer(fields['transaction_index'], `${path}.transaction_index`, 0xffffff),
    nodes: nodes.map((node, at) => hex(node, `${path}.nodes[${at}]`)),
    log: integer(fields['log'], `${path}.log`, 0xffffff),
  };
}

function attestationProof(value: unknown, path: string): AttestationProof {
  const proof = logProof(value, path, ['preimage']);
  const at = `${path}.preimage`;
  const fields = object((value as Record<string, unknown>)['preimage'], at, PREIMAGE);
  const revocable = fields['revocable'];
  if (typeof revocable !== 'boolean') throw new EvidenceError(`${at}.revocable is neither true nor false`);
  const preimage: UidPreimage = {
    schema: hex(fields['schema'], `${at}.schema`, 32),
    recipient: hex(fields['recipient'], `${at}.recipient`, 20),
    attester: hex(fields['attester'], `${at}.attester`, 20),
    time: integer(fields['time'], `${at}.time`, SECONDS),
    expiration_time: integer(fields['expiration_time'], `${at}.expiration_time`, SECONDS),
    revocable,
    ref_uid: hex(fields['ref_uid'], `${at}.ref_uid`, 32),
    data: hex(fields['data'], `${at}.data`),
    bump: integer(fields['bump'], `${at}.bump`, 0xffffffff),
  };
  return { ...proof, preimage };
}

function object(value: unknown, path: string, names: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EvidenceError(`${path} is not an object`);
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw new EvidenceError(`${path}: ${missing} is missing`);
  if (Object.keys(value).length !== names.length)
    throw new EvidenceError(`${path} has other fields than ${names.join(', ')}`);
  return value as Record<string, unknown>;
}

/** Safe for a terminal. */
function reason(value: unknown): string {
  if (typeof value !== 'string' || !/^[ -~]{1,200}$/.test(value))
    throw new EvidenceError('wait is not a line of at most 200 ASCII characters');
  return value;
}

function hex(value: unknown, path: string, length?: number): string {
  const isHex = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/.test(value);
  if (!isHex || (length !== undefined && value.length !== 2 + 2 * length))
    throw new EvidenceError(
      `${path} is not 0x and ${length === undefined ? 'whole bytes' : `${2 * length} digits`} in lower-case hex`,
    );
  return value;
}

function integer(value: unknown, path: string, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
    throw new EvidenceError(`${path} is not a whole number from 0 to ${most}`);
  return value;
}
