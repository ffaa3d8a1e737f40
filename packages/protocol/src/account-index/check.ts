import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { foldLogProof, type LogTree } from '../conventions/log-tree.ts';
import type { Checkpoint } from '../tlog/checkpoint.ts';
import { entryHash } from '../tlog/tree-proofs.ts';
import { compareBytes, type Sha256 } from '../tree.ts';
import type { IndexAnswer } from './answer.ts';
import { type AccountEntry, accountLeaf, IndexError, resumeAccount } from './entries.ts';
import { readIndexData } from './index-data.ts';
import { accountKey, checkAbsence, checkPresence, mapValue } from './map-proof.ts';

/** The state of an account that a reader stores for the next reading. */
export interface KeptAccount {
  /** The index covered the trees with a smaller log index. */
  covered: number;
  /** of entries */
  count: number;
  /** roots of the perfect subtrees of the entries, largest first */
  peaks: readonly Uint8Array[];
}

export interface CheckedAccount extends KeptAccount {
  /** of the first answer on */
  entries: AccountEntry[];
}

/**
 * Steps 2 to 4 of the check of an account (docs/protocol.md#418-the-index-of-accounts), for all pages of one reading.
 * @param pages from the first entry on, or from `kept.count` on
 * @param of.checkpoint of the first page; the caller checks its signatures and its consistency with an earlier one
 * @throws {IndexError} naming the page
 * @example
 * const [page, userId] = [parseIndexAnswer(answer), answer.user_id];
 * checkIndexAnswers([page], { userId, checkpoint: page.checkpoint }).count; // 13
 */
export function checkIndexAnswers(
  pages: readonly IndexAnswer[],
  of: {
    userId: string;
    checkpoint: Pick<Checkpoint, 'text' | 'size' | 'root'>;
    kept?: KeptAccount | undefined;
  },
  sha256: Sha256 = nobleSha256,
): CheckedAccount {
  const [first] = pages;
  if (first === undefined) throw new IndexError('a reading has at least one answer');
  const reading = new Reading(first, of, sha256);
  for (const [at, page] of pages.entries()) {
    try {
      reading.add(page, at === pages.length - 1);
    } catch (error) {
      if (!(error instanceof IndexError) || pages.length === 1) throw error;
      throw new IndexError(`page ${at + 1}: ${error.message}`);
    }
  }
  return reading.result();
}

type Of = Parameters<typeof checkIndexAnswers>[1];

class Reading {
  readonly #first: IndexAnswer;
  readonly #of: Of;
  readonly #sha256: Sha256;
  readonly #tree: LogTree;
  readonly #covered: number;
  readonly #entries: AccountEntry[] = [];
  #lastIndex = 0;

  constructor(first: IndexAnswer, of: Of, sha256: Sha256) {
    this.#first = first;
    this.#of = of;
    this.#sha256 = sha256;
    const { kept } = of;
    this.#covered = checkIndexEntry(first, of.checkpoint).covered;
    if (kept !== undefined && this.#covered < kept.covered)
      throw new IndexError(
        `the index covers ${this.#covered} entries of the log, and had covered ${kept.covered}`,
      );
    if (kept !== undefined && first.count < kept.count)
      throw new IndexError(
        `the account has ${first.count} entries, and had ${kept.count}: entries are missing`,
      );
    if (first.from !== 0 && first.from !== kept?.count)
      throw new IndexError(`from is ${first.from}, but the reading begins after ${kept?.count ?? 0} entries`);
    this.#tree = resumeAccount(first.from, first.before, sha256);
    this.#compareKept();
  }

  add(page: IndexAnswer, isLast: boolean): void {
    const { userId, checkpoint } = this.#of;
    if (page.userId !== userId) throw new IndexError(`user_id is ${page.userId}, not ${userId}`);
    if (page.checkpoint.text !== checkpoint.text)
      throw new IndexError('checkpoint is not that of the reading: read again from the first page');
    const { root, covered } = checkIndexEntry(page, checkpoint);
    const isSame = covered === this.#covered && page.count === this.#first.count;
    if (!isSame || page.index.logIndex !== this.#first.index.logIndex)
      throw new IndexError('index or count is not that of the first page');
    if (page.from !== this.#tree.size)
      throw new IndexError(`from is ${page.from}, but the entries before it end at ${this.#tree.size}`);
    if (!sameHashes(page.before, this.#tree.edge))
      throw new IndexError('before is not made of the entries of the earlier pages');
    const key = accountKey(userId, this.#sha256);
    if (page.accountRoot === null) checkAbsence({ ...page, key }, root, this.#sha256);
    else checkPresence({ ...page, key, value: mapValue(page.count, page.accountRoot) }, root, this.#sha256);
    for (const entry of page.entries) this.#addEntry(entry);
    const ends = this.#tree.size === page.count;
    if (page.more === isLast || isLast !== ends)
      throw new IndexError(`${this.#tree.size} entries of ${page.count} are read, and more is ${page.more}`);
  }

  result(): CheckedAccount {
    const { count, accountRoot } = this.#first;
    if (accountRoot !== null && compareBytes(this.#tree.root(), accountRoot) !== 0)
      throw new IndexError('before and entries do not make account_root');
    return { covered: this.#covered, count, peaks: this.#tree.edge, entries: this.#entries };
  }

  #addEntry(entry: AccountEntry): void {
    const { kept } = this.#of;
    if (entry.logIndex >= this.#covered)
      throw new IndexError(`an entry has the log index ${entry.logIndex}, which the index does not cover`);
    if (entry.logIndex < this.#lastIndex)
      throw new IndexError('the log indexes of the entries fall: they are out of order');
    if (kept !== undefined && this.#tree.size >= kept.count && entry.logIndex < kept.covered)
      throw new IndexError(
        `an entry has the log index ${entry.logIndex}, which an earlier index covered without it`,
      );
    this.#lastIndex = entry.logIndex;
    this.#entries.push(entry);
    this.#tree.add(accountLeaf(entry, this.#sha256));
    this.#compareKept();
  }

  #compareKept(): void {
    const { kept } = this.#of;
    if (kept?.count === this.#tree.size && !sameHashes(kept.peaks, this.#tree.edge))
      throw new IndexError(`the first ${kept.count} entries are not those of an earlier reading`);
  }
}

function checkIndexEntry(
  { index: { logIndex, data, proof } }: IndexAnswer,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
) {
  const found = readIndexData(data);
  if (found === null) throw new IndexError('index.data is not an index entry');
  if (found.covered > logIndex)
    throw new IndexError(`index.data covers ${found.covered} entries, but only ${logIndex} are before it`);
  const folded = foldLogProof(entryHash(data), logIndex, size, proof);
  if (folded === null || compareBytes(folded, root) !== 0)
    throw new IndexError('index.proof does not lead from index.data to the root of the checkpoint');
  return found;
}

const sameHashes = (some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean =>
  some.length === others.length && some.every((hash, at) => compareBytes(hash, others[at]!) === 0);
