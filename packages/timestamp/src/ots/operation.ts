import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bytesToHex as toHex } from '@svc/protocol';
import { malformed } from '../timestamp-error.ts';

export interface Operation {
  tag: number;
  /** of append and prepend; else empty */
  argument: Uint8Array;
}

export const SHA_256 = 0x08;
const APPEND = 0xf0;
const PREPEND = 0xf1;
/** As in the official client. */
export const LONGEST_MESSAGE = 4096;

const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

const APPLY: Readonly<Record<number, (message: Uint8Array, argument: Uint8Array) => Uint8Array>> = {
  0x02: (message) => sha1(message),
  0x03: (message) => ripemd160(message),
  [SHA_256]: (message) => sha256(message),
  0x67: (message) => keccak_256(message),
  [APPEND]: (message, argument) => concatBytes(message, argument),
  [PREPEND]: (message, argument) => concatBytes(argument, message),
  0xf2: (message) => message.toReversed(),
  0xf3: (message) => encoder.encode(toHex(message)),
};

export const isOperation = (tag: number): boolean => APPLY[tag] !== undefined;
export const takesArgument = (tag: number): boolean => tag === APPEND || tag === PREPEND;

export const hashStep: Operation = { tag: SHA_256, argument: NOTHING };
export const append = (argument: Uint8Array): Operation => ({ tag: APPEND, argument });
export const prepend = (argument: Uint8Array): Operation => ({ tag: PREPEND, argument });

/** @throws {TimestampError} on an unknown operation and a result that is too long */
export function apply({ tag, argument }: Operation, message: Uint8Array): Uint8Array {
  const operation = APPLY[tag];
  if (operation === undefined) throw malformed(`it has the unknown operation 0x${toHex(Uint8Array.of(tag))}`);
  const result = operation(message, argument);
  if (result.length > LONGEST_MESSAGE)
    throw malformed(`a message in it is longer than ${LONGEST_MESSAGE} bytes`);
  return result;
}

export { sha256 };
