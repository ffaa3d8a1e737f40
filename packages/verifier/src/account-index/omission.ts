// An old receipt against a later index: a service that leaves out one etch of an account signs the proof of it
// (docs/protocol.md#418-the-index-of-accounts).
import {
  bytesToHex,
  compareBytes,
  encodeAttestationData,
  hexToBytes,
  parseReceipt,
  type Receipt,
} from '@svc/protocol';
import { type IndexAnswer, IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import { foldLogProof } from '@svc/protocol/conventions';
import * as tlog from '@svc/protocol/tlog';
import { checkBatch } from '../batch.ts';
import { checkSavedIndex, type SavedIndex, type SavedTrust } from './read-index.ts';

export const OMISSION_FORMAT = 'svc-omission:v1';

const WHAT =
  'The proof that an index of accounts leaves out an etch: its receipt, its tree in the log, and the entries of its author. Check it offline with `svc verify`.';

/** Unchecked, except for its form. */
export interface Omission {
  receipt: Receipt;
  /** the entry of the log, proven by the checkpoint of the index */
  tree: IndexAnswer['index'];
  pages: IndexAnswer[];
}

/**
 * The file of an omission.
 * @param parts.index the answers of the service for the author
 * @example
 * const tree = { logIndex: 0, data: new Uint8Array(128), proof: [] };
 * makeOmission({ receipt, tree, index: [answer] })._format; // 'svc-omission:v1'
 */
export const makeOmission = ({ receipt, tree, index }: Saving) => ({
  _format: OMISSION_FORMAT,
  _what_this_is: WHAT,
  receipt,
  tree: {
    log_index: tree.logIndex,
    data: bytesToHex(tree.data),
    proof: tree.proof.map((hash) => bytesToHex(hash)),
  },
  index,
});

interface Saving extends Pick<Omission, 'receipt' | 'tree'> {
  index: readonly unknown[];
}

/**
 * @throws {IndexError} @throws {ReceiptError} naming the first malformed field
 * @example
 * const tree = { logIndex: 0, data: new Uint8Array(128), proof: [] };
 * parseOmission(makeOmission({ receipt, tree, index: [answer] })).tree.logIndex; // 0
 */
export function parseOmission(value: unknown): Omission {
  const { _format, receipt, tree, index } = (value ?? {}) as Record<string, unknown>;
  if (_format !== OMISSION_FORMAT) throw new IndexError('_format is missing or malformed');
  if (!Array.isArray(index) || index.length === 0) throw new IndexError('index is missing or malformed');
  const pages = index.map(parseIndexAnswer);
  return { receipt: parseReceipt(receipt), tree: parseTree(index[0] as object, tree), pages };
}

/** A tree has the form of the index entry of an answer. */
function parseTree(answer: object, tree: unknown): Omission['tree'] {
  try {
    return parseIndexAnswer({ ...answer, index: tree }).index;
  } catch (error) {
    throw new IndexError((error as Error).message.replace(/^index/, 'tree'));
  }
}

/** An etch in the index: the 17th of 20. `at` is 0 for an etch that the index leaves out. */
export function placeInIndex(
  { hash }: Pick<Receipt, 'hash'>,
  { entries }: Pick<SavedIndex, 'entries'>,
): { at: number; of: number } {
  const etches = [...new Set(entries.filter(({ kind }) => kind === 0).map((one) => bytesToHex(one.hash)))];
  return { at: etches.indexOf(hash) + 1, of: etches.length };
}

/** The log entry of the receipt's tree. Null: the etch has no tree of version 2 yet, and an index covers no other. */
export function treeOfReceipt({ inclusion }: Pick<Receipt, 'inclusion'>): Uint8Array | null {
  if (inclusion?.tree_version !== 2) return null;
  const { root, tree_size: treeSize } = inclusion;
  return encodeAttestationData({ root: hexToBytes(root), kind: 0, treeVersion: 2, treeSize });
}

/**
 * Ignores cosignatures: the signature of the log convicts its operator.
 * @throws {IndexError} @throws {ReceiptError} @throws {TlogError} when the file proves no omission
 * @throws {LogUnread} when none of the keys signed the checkpoint
 * @example
 * const tree = { logIndex: 0, data: new Uint8Array(128), proof: [] };
 * const omission = parseOmission(makeOmission({ receipt, tree, index: [answer] }));
 * const trust = { keys: [parseVerifierKey(logKey)], policy: null, indexWitnesses: [], now: 2e9 };
 * try {
 *   checkOmission(omission, trust);
 * } catch (error) {
 *   error.name; // 'IndexError'
 * }
 */
export function checkOmission({ receipt, tree, pages }: Omission, trust: SavedTrust): SavedIndex {
  const index = checkSavedIndex(pages, receipt.author.user_id, { ...trust, policy: null });
  const { size, root } = index.checkpoint;
  const need = (isSound: boolean, fault: string) => {
    if (!isSound) throw new IndexError(fault);
  };
  const data = treeOfReceipt(receipt);
  need(data !== null, 'the receipt has no tree of version 2, and an index covers no other');
  need(checkBatch(receipt).verdict === 'pass', 'the receipt does not fold to the root of its tree');
  need(compareBytes(tree.data, data!) === 0, 'tree.data is not the tree of the receipt');
  const folded = foldLogProof(tlog.entryHash(tree.data), tree.logIndex, size, tree.proof);
  need(
    folded !== null && compareBytes(folded, root) === 0,
    'tree.proof does not lead from tree.data to the root of the checkpoint',
  );
  need(
    tree.logIndex < index.covered,
    `the tree has the log index ${tree.logIndex}, and the index covers only the ${index.covered} entries before it`,
  );
  const { at, of } = placeInIndex(receipt, index);
  need(at === 0, `the index has the etch: it is etch ${at} of ${of}`);
  return index;
}
