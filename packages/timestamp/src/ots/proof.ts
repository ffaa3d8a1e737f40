import { concatBytes } from '@noble/hashes/utils.js';
import { bytesToHex, compareBytes, hexToBytes } from '@svc/protocol';
import { apply, isOperation, LONGEST_MESSAGE, type Operation, takesArgument } from './operation.ts';
import { ByteReader, varuint } from './byte-reader.ts';
import { malformed } from '../timestamp-error.ts';

export type Attestation =
  | { kind: 'bitcoin'; height: number }
  | { kind: 'pending'; uri: string }
  | { kind: 'other'; tag: string; payload: Uint8Array };

/** The operations before a node produce its message. */
export interface Timestamp {
  message: Uint8Array;
  attestations: Attestation[];
  steps: { operation: Operation; next: Timestamp }[];
}

/** As in the official client. */
export const DEEPEST = 256;
/** Includes attestations. */
const MOST_OPERATIONS = 1024;
const LONGEST_PAYLOAD = 8192;
const LONGEST_URI = 1000;
const BITCOIN = '0588960d73d71901';
const PENDING = '83dfe30d2ef90c8e';
const ATTESTATION = 0x00;
const ANOTHER = 0xff;

/** @throws {TimestampError} `malformed` */
export function readTimestamp(bytes: ByteReader, message: Uint8Array, deepest: number = DEEPEST): Timestamp {
  let operations = 0;
  const readNode = (from: Uint8Array, left: number): Timestamp => {
    if (left === 0) throw malformed(`it has more than ${deepest} operations in a row`);
    const node: Timestamp = { message: from, attestations: [], steps: [] };
    const readOne = (tag: number): void => {
      if (++operations > MOST_OPERATIONS) throw malformed(`it has more than ${MOST_OPERATIONS} operations`);
      if (tag === ATTESTATION) return addAttestation(node, readAttestation(bytes));
      if (!isOperation(tag)) throw malformed(`it has the unknown operation ${tag}`);
      const operation = { tag, argument: takesArgument(tag) ? bytes.sized(1, LONGEST_MESSAGE) : NOTHING };
      const next = readNode(apply(operation, from), left - 1);
      node.steps = [
        ...node.steps.filter((step) => !isSameStep(step.operation, operation)),
        { operation, next },
      ];
    };
    let tag = bytes.byte();
    for (; tag === ANOTHER; tag = bytes.byte()) readOne(bytes.byte());
    readOne(tag);
    return node;
  };
  return readNode(message, deepest);
}

const NOTHING = new Uint8Array();

function readAttestation(bytes: ByteReader): Attestation {
  const tag = bytesToHex(bytes.take(8));
  const payload = bytes.sized(0, LONGEST_PAYLOAD);
  const inner = new ByteReader(payload);
  if (tag === BITCOIN) {
    const height = inner.varuint();
    inner.end();
    return { kind: 'bitcoin', height };
  }
  if (tag !== PENDING) return { kind: 'other', tag, payload };
  const uri = new TextDecoder('latin1').decode(inner.sized(0, LONGEST_URI));
  inner.end();
  if (!isCalendarUri(uri))
    throw malformed('the address of a calendar in it has characters that are not allowed');
  return { kind: 'pending', uri };
}

/** The format allows no query, fragment, credentials or percent-encoding. */
const isCalendarUri = (uri: string): boolean => /^[A-Za-z0-9\-._/:]*$/.test(uri);

/** In the order of the official client, so that equal proofs have equal bytes. */
export function writeTimestamp({ attestations, steps }: Timestamp): Uint8Array<ArrayBuffer> {
  const items = [
    ...attestations
      .toSorted(compareAttestations)
      .map((one) => concatBytes(Uint8Array.of(ATTESTATION), written(one))),
    ...steps
      .toSorted((a, b) => compareOperations(a.operation, b.operation))
      .map(({ operation, next }) => concatBytes(writtenOperation(operation), writeTimestamp(next))),
  ];
  if (items.length === 0) throw new RangeError('a time stamp without an attestation cannot be written');
  return concatBytes(
    ...items.flatMap((item, at) => (at < items.length - 1 ? [Uint8Array.of(ANOTHER), item] : [item])),
  );
}

const writtenOperation = ({ tag, argument }: Operation): Uint8Array =>
  takesArgument(tag)
    ? concatBytes(Uint8Array.of(tag), varuint(argument.length), argument)
    : Uint8Array.of(tag);

function written(attestation: Attestation): Uint8Array {
  const payload = payloadOf(attestation);
  return concatBytes(tagOf(attestation), varuint(payload.length), payload);
}

function payloadOf(attestation: Attestation): Uint8Array {
  if (attestation.kind === 'other') return attestation.payload;
  if (attestation.kind === 'bitcoin') return varuint(attestation.height);
  const uri = new TextEncoder().encode(attestation.uri);
  return concatBytes(varuint(uri.length), uri);
}

function tagOf(attestation: Attestation): Uint8Array {
  const tag =
    attestation.kind === 'other' ? attestation.tag : attestation.kind === 'bitcoin' ? BITCOIN : PENDING;
  return hexToBytes(tag);
}

function compareAttestations(a: Attestation, b: Attestation): number {
  if (a.kind === 'bitcoin' && b.kind === 'bitcoin') return a.height - b.height;
  const text = (one: Attestation) =>
    one.kind === 'pending' ? new TextEncoder().encode(one.uri) : payloadOf(one);
  return compareBytes(tagOf(a), tagOf(b)) || compareBytes(text(a), text(b));
}

const compareOperations = (a: Operation, b: Operation): number =>
  a.tag - b.tag || compareBytes(a.argument, b.argument);
const isSameStep = (a: Operation, b: Operation): boolean => compareOperations(a, b) === 0;

function addAttestation({ attestations }: Timestamp, one: Attestation): void {
  if (!attestations.some((other) => compareAttestations(other, one) === 0)) attestations.push(one);
}

/** Both must have the same message. */
export function mergeInto(one: Timestamp, other: Timestamp): void {
  for (const attestation of other.attestations) addAttestation(one, attestation);
  for (const { operation, next } of other.steps) {
    const existing = one.steps.find((step) => isSameStep(step.operation, operation));
    if (existing === undefined) one.steps.push({ operation, next });
    else mergeInto(existing.next, next);
  }
}

export function attestationsOf(node: Timestamp): { node: Timestamp; attestation: Attestation }[] {
  return [
    ...node.attestations.map((attestation) => ({ node, attestation })),
    ...node.steps.flatMap(({ next }) => attestationsOf(next)),
  ];
}

/** Undefined without a wanted attestation. */
export function keepOnly(node: Timestamp, wanted: (one: Attestation) => boolean): Timestamp | undefined {
  const attestations = node.attestations.filter(wanted);
  const steps = node.steps.flatMap(({ operation, next }) => {
    const kept = keepOnly(next, wanted);
    return kept === undefined ? [] : [{ operation, next: kept }];
  });
  return attestations.length + steps.length === 0
    ? undefined
    : { message: node.message, attestations, steps };
}

export function path(
  message: Uint8Array,
  operations: readonly Operation[],
  end: (message: Uint8Array) => Timestamp,
): Timestamp {
  const [operation, ...others] = operations;
  if (operation === undefined) return end(message);
  return {
    message,
    attestations: [],
    steps: [{ operation, next: path(apply(operation, message), others, end) }],
  };
}
