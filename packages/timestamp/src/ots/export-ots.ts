import { concatBytes } from '@noble/hashes/utils.js';
import { compareBytes, hexToBytes, type Receipt, uuidToBytes } from '@svc/protocol';
import { isSame } from '../bytes.ts';
import { stampedData } from '../stamped-data.ts';
import { TimestampError } from '../timestamp-error.ts';
import { readOts, writeOts } from './file.ts';
import { append, apply, hashStep, type Operation, prepend, sha256 } from './operation.ts';
import { path } from './proof.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/**
 * From the canonical string to the root of its tree, to the SHA-256 of the attestation's data, then the
 * calendars' operations.
 * @param proof the witness of kind `ots`
 * @throws {TimestampError} on a malformed proof, or one for different data
 * @example
 * const file = exportOts(receipt, proof);
 * bytesToHex(file.slice(33, 65)) === receipt.hash; // true
 */
export function exportOts(receipt: Receipt, proof: Uint8Array): Uint8Array<ArrayBuffer> {
  const stamped = readOts(proof);
  return writeOts(
    path(hexToBytes(receipt.hash), operationsToData(receipt), (message) => {
      if (!isSame(message, stamped.message))
        throw new TimestampError('imprint', 'the proof is of a different tree');
      return stamped;
    }),
  );
}

function operationsToData(receipt: Receipt): Operation[] {
  const toRoot = operationsToRoot(receipt);
  return [...toRoot, append(stampedData(receipt, 'commitment').slice(32)), hashStep];
}

function operationsToRoot({ hash, author, inclusion }: Receipt): Operation[] {
  if (inclusion === null) return [];
  const prefix = inclusion.tree_version === 2 ? concatBytes(LEAF, uuidToBytes(author.user_id)) : LEAF;
  const operations = [prepend(prefix), hashStep];
  let message: Uint8Array = sha256(concatBytes(prefix, hexToBytes(hash)));
  for (const sibling of inclusion.proof.map(hexToBytes)) {
    const level =
      compareBytes(message, sibling) > 0
        ? [prepend(concatBytes(NODE, sibling)), hashStep]
        : [append(sibling), prepend(NODE), hashStep];
    message = level.reduce((so, operation) => apply(operation, so), message);
    operations.push(...level);
  }
  return operations;
}
