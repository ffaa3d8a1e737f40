import { hexToBytes, parseReceipt, type Receipt } from '@svc/protocol';
import type { Witness, WitnessedReceipt } from '../proofs/index.ts';
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

export interface Evidence extends WitnessedReceipt {
  _format: typeof EVIDENCE_FORMAT;
  commitment: AttestationProof | null;
  /** without a tree: the proof of the revocation */
  tombstone: AttestationProof | LogProof | null;
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
  const receipt = parseReceipt(file['receipt']);
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
    commitment: commitment === null ? null : read(commitment, 'commitment', ATTESTATION_PROOF),
    tombstone:
      tombstone === null
        ? null
        : read(tombstone, 'tombstone', receipt.revocation?.kind === 1 ? ATTESTATION_PROOF : LOG_PROOF),
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
    return { of, kind, proof: hex()(proof, `${path}.proof`) };
  });
}

const FILE = ['_format', 'receipt', 'commitment', 'tombstone'];
const MOST_NODES = 16;

type Form<Value> = { [Name in keyof Value]: (value: unknown, path: string) => Value[Name] };

const LOG_PROOF: Form<LogProof> = {
  header: hex(),
  transaction_index: integer(0xffffff),
  nodes(value, path) {
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_NODES)
      throw new EvidenceError(`${path} is not a list of 1 to ${MOST_NODES} nodes`);
    return value.map((node, at) => hex()(node, `${path}[${at}]`));
  },
  log: integer(0xffffff),
};

const PREIMAGE: Form<UidPreimage> = {
  schema: hex(32),
  recipient: hex(20),
  attester: hex(20),
  time: integer(Number.MAX_SAFE_INTEGER),
  expiration_time: integer(Number.MAX_SAFE_INTEGER),
  revocable(value, path) {
    if (typeof value !== 'boolean') throw new EvidenceError(`${path} is neither true nor false`);
    return value;
  },
  ref_uid: hex(32),
  data: hex(),
  bump: integer(0xffffffff),
};

const ATTESTATION_PROOF: Form<AttestationProof> = {
  ...LOG_PROOF,
  preimage: (value, path) => read(value, path, PREIMAGE),
};

function read<Value extends object>(value: unknown, path: string, form: Form<Value>): Value {
  const fields = object(value, path, Object.keys(form));
  const entries = Object.entries<(value: unknown, path: string) => unknown>(form);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, one(fields[name], `${path}.${name}`)]),
  ) as Value;
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

function hex(length?: number) {
  return (value: unknown, path: string): string => {
    const isHex = typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/.test(value);
    if (!isHex || (length !== undefined && value.length !== 2 + 2 * length))
      throw new EvidenceError(
        `${path} is not 0x and ${length === undefined ? 'whole bytes' : `${2 * length} digits`} in lower-case hex`,
      );
    return value;
  };
}

function integer(most: number) {
  return (value: unknown, path: string): number => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most)
      throw new EvidenceError(`${path} is not a whole number from 0 to ${most}`);
    return value;
  };
}

/** Evidence on a chain that the service left (docs/protocol.md#48-evidence). */
export const FORMER = 'former-chain';

/**
 * Oldest chain first. Check each with `verifyEvidence` and the trust and a block hash of the chain of the file.
 * @throws {EvidenceError} when it is malformed, or for a different etch
 * @throws {ReceiptError} when a receipt in it is malformed
 * @example
 * formerEvidence({ ...evidence, witnesses: [] }); // []
 */
export function formerEvidence({ receipt, witnesses = [] }: Evidence): Evidence[] {
  return witnesses
    .filter(({ kind }) => kind === FORMER)
    .map(({ proof }) => {
      const former = parseEvidence(readJson(proof));
      const { etch_id, hash, author, chain } = former.receipt;
      if (etch_id !== receipt.etch_id || hash !== receipt.hash || author.user_id !== receipt.author.user_id)
        throw new EvidenceError(`the evidence of the chain ${chain.chain_id} is of a different etch`);
      if (former.witnesses !== undefined)
        throw new EvidenceError(`the evidence of the chain ${chain.chain_id} has witnesses of its own`);
      return former;
    });
}

function readJson(hex: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(hex.slice(2))));
  } catch {
    throw new EvidenceError(`a witness of the kind ${FORMER} is not JSON`);
  }
}
