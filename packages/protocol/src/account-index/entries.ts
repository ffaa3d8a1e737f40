import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { LogTree } from '../conventions/log-tree.ts';
import { bytesToHex } from '../hex.ts';
import { bigEndian } from '../timelock/drand-chain.ts';
import { compareBytes, type Sha256 } from '../tree.ts';

export class IndexError extends Error {
  override name = 'IndexError';
}

export const ACCOUNT_ENTRY_LENGTH = 41;
/** The most entries of an answer. */
export const MAX_ACCOUNT_ENTRIES = 1_000;

/** One leaf of an account in a tree of the log (docs/protocol.md#418-the-index-of-accounts). */
export interface AccountEntry {
  /** of the tree */
  logIndex: number;
  /** of the tree: 0 commits, 1 retracts */
  kind: 0 | 1;
  /** of the etch, 32 bytes */
  hash: Uint8Array;
}

/**
 * @example
 * encodeAccountEntry({ logIndex: 7, kind: 0, hash: new Uint8Array(32) }).length; // 41
 */
export const encodeAccountEntry = ({ logIndex, kind, hash }: AccountEntry): Uint8Array =>
  concatBytes(bigEndian(logIndex, 8), Uint8Array.of(kind), hash);

/**
 * @throws {IndexError} when it is not 41 bytes, or names no kind or no log index
 * @example
 * decodeAccountEntry(encodeAccountEntry({ logIndex: 7, kind: 1, hash: new Uint8Array(32) })).logIndex; // 7
 */
export function decodeAccountEntry(bytes: Uint8Array): AccountEntry {
  if (bytes.length !== ACCOUNT_ENTRY_LENGTH) throw new IndexError('an entry of an account has 41 bytes');
  const logIndex = readUint64(bytes);
  const kind = bytes[8];
  if (kind !== 0 && kind !== 1) throw new IndexError('the kind of an entry is 0 or 1');
  return { logIndex, kind, hash: bytes.slice(9) };
}

/**
 * The first 8 bytes, big-endian.
 * @throws {IndexError} above 2^53 − 1
 * @example
 * readUint64(Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 0)); // 256
 */
export function readUint64(bytes: Uint8Array): number {
  const value = Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0));
  if (!Number.isSafeInteger(value)) throw new IndexError('a number is above 2^53 - 1');
  return value;
}

/**
 * The RFC 6962 leaf of an entry in the tree of its account.
 * @example
 * accountLeaf({ logIndex: 7, kind: 0, hash: new Uint8Array(32) }).length; // 32
 */
export const accountLeaf = (entry: AccountEntry, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(0), encodeAccountEntry(entry)));

/**
 * The tree of an account after its first `count` entries. `add` an `accountLeaf` for each later entry.
 * @param peaks roots of the perfect subtrees, largest first: `before` of an answer, `edge` of an earlier tree
 * @throws {IndexError} when the peaks do not fit the count
 * @example
 * const entry = { logIndex: 7, kind: 0, hash: new Uint8Array(32) };
 * const tree = resumeAccount(0, []);
 * tree.add(accountLeaf(entry));
 * tree.root(); // accountLeaf(entry)
 */
export function resumeAccount(count: number, peaks: readonly Uint8Array[], sha256?: Sha256): LogTree {
  try {
    return LogTree.resume(count, peaks, sha256);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new IndexError(`${count} entries do not have ${peaks.length} perfect subtrees`);
  }
}

/**
 * The entries that a tree of version 2 adds, by user id as 32 hex digits, in the order of the leaves.
 * @param packed its leaves (docs/protocol.md#26-packed-leaves), in any order
 * @example
 * const packed = packLeaves(2, [{ user_id: receipt.author.user_id, hash: receipt.hash }]);
 * run(entriesOfTree({ logIndex: 7, kind: 0, packed })).size; // 1
 */
export function* entriesOfTree(
  { logIndex, kind, packed }: { logIndex: number; kind: 0 | 1; packed: Uint8Array },
  sha256: Sha256 = nobleSha256,
): Generator<undefined, Map<string, AccountEntry[]>> {
  const found = new Map<string, { leaf: Uint8Array; entry: AccountEntry }[]>();
  const data = new Uint8Array(49);
  for (let at = 0; at < packed.length; at += 48) {
    data.set(packed.subarray(at, at + 48), 1);
    const account = bytesToHex(data.subarray(1, 17));
    const one = { leaf: sha256(data), entry: { logIndex, kind, hash: data.slice(17) } };
    const others = found.get(account);
    if (others === undefined) found.set(account, [one]);
    else others.push(one);
    yield;
  }
  const entries = new Map<string, AccountEntry[]>();
  for (const [account, some] of found) {
    some.sort((a, b) => compareBytes(a.leaf, b.leaf));
    entries.set(
      account,
      some.map(({ entry }) => entry),
    );
    yield;
  }
  return entries;
}

/**
 * The value of a generator, without pauses.
 * @example
 * run(new AccountMap().rehash()); // new Uint8Array(32)
 */
export function run<Value>(work: Iterator<unknown, Value, undefined>): Value {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
