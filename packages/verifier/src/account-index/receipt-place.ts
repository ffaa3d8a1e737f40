// The place of a receipt's etch in the index of accounts, and the proof of an omission.
import { compareBytes, type Receipt } from '@svc/protocol';
import { IndexError, parseIndexAnswer } from '@svc/protocol/account-index';
import * as tlog from '@svc/protocol/tlog';
import type { CheckResult, Verdict } from '../check.ts';
import { isOverdue } from './compare-index.ts';
import { readWholeIndex } from './index-pages.ts';
import { type LogReader, LogUnread, readEntries } from './log-reader.ts';
import { checkOmission, makeOmission, parseOmission, placeInIndex, treeOfReceipt } from './omission.ts';
import { checkIndexFile, checkSavedIndex, type SavedIndex, type SavedTrust } from './read-index.ts';

export type PlaceCheck = CheckResult<'present' | 'omitted' | 'absent' | 'contradicted' | 'unread'>;

/**
 * Checks the entries in a receipt (`svc receipt --index`, `receipt.html?index=1`), without the network. `unread`: none
 * of the keys signed the checkpoint.
 * @param answers `index` of the receipt
 * @example
 * const trust = { keys: [], policy: null, indexWitnesses: [], now: 2e9 };
 * checkSavedPlace(receipt, [answer], trust).verdict; // 'wait'
 */
export function checkSavedPlace(receipt: Receipt, answers: unknown, trust: SavedTrust): PlaceCheck {
  try {
    const pages = Array.isArray(answers) ? answers.map(parseIndexAnswer) : [];
    const index = checkIndexFile(pages, receipt.author.user_id, trust);
    return (
      presentPlace(receipt, index) ??
      placeCheck('wait', 'absent', 'The saved index does not have the etch: run svc verify --against-index.')
    );
  } catch (error) {
    return faultyPlace(error);
  }
}

/**
 * Reads the entries of the author from the service. The proof of an omission needs no answer of the service for the
 * etch: the tree of the receipt is searched in the entries of the log.
 * @param attestedAt time of its attestation on a chain that the reader trusts; null: not checked
 * @returns `omission` with the badge `omitted`
 * @example
 * const trust = { keys: [], policy: null, indexWitnesses: [], now: 2e9 };
 * (await readReceiptPlace(emptyLog, receipt, trust)).check.badge; // 'unread'
 */
export async function readReceiptPlace(
  log: LogReader,
  receipt: Receipt,
  trust: SavedTrust,
  attestedAt: string | null = null,
): Promise<{ check: PlaceCheck; omission?: object }> {
  try {
    return await readPlace(log, receipt, trust, attestedAt);
  } catch (error) {
    return { check: faultyPlace(error) };
  }
}

async function readPlace(log: LogReader, receipt: Receipt, trust: SavedTrust, attestedAt: string | null) {
  const { user_id: userId } = receipt.author;
  const answers = await readWholeIndex(log, userId);
  const pages = answers.map(parseIndexAnswer);
  // A wrong cosignature must not keep a reader from the proof of an omission.
  const index = checkSavedIndex(pages, userId, { ...trust, policy: null });
  const present = presentPlace(receipt, index);
  if (present !== null) return { check: presentPlace(receipt, checkSavedIndex(pages, userId, trust))! };
  const uncovered = (why: string) => ({ check: placeCheck('wait', 'absent', why) });
  const data = treeOfReceipt(receipt);
  if (data === null)
    return uncovered('The receipt names no tree of version 2: download it again if its etch was pending.');
  const { size } = index.checkpoint;
  const { logIndex, read } = await findEntry(log, data, index.checkpoint);
  if (logIndex < 0 && isOverdue(attestedAt, trust.now))
    return {
      check: placeCheck(
        'fail',
        'absent',
        'The tree of the receipt was attested more than a day ago, and the log does not have it: run svc audit to check the log.',
      ),
    };
  if (logIndex < 0)
    return uncovered(
      `The log has no tree of the receipt among its ${size} entries: check it later, and run svc audit --all if this stays.`,
    );
  if (logIndex >= index.covered)
    return uncovered(`The index does not cover the tree at the log index ${logIndex} yet: check it later.`);
  const proof = await tlog.proveInclusion(logIndex, size, read);
  const omission = makeOmission({ receipt, tree: { logIndex, data, proof }, index: answers });
  checkOmission(parseOmission(omission), trust);
  return {
    check: placeCheck('fail', 'omitted', 'The service signed an index that leaves out this etch.'),
    omission,
  };
}

/** @throws any other error */
function faultyPlace(error: unknown): PlaceCheck {
  if (error instanceof LogUnread) return placeCheck('wait', 'unread', sentence(error.message));
  if (error instanceof IndexError || error instanceof tlog.TlogError)
    return placeCheck('fail', 'contradicted', sentence(error.message));
  throw error;
}

/** Etch 17 of 20, and by whose word; null: the index does not have the etch. */
function presentPlace(receipt: Receipt, index: SavedIndex): PlaceCheck | null {
  const { at, of } = placeInIndex(receipt, index);
  if (at === 0) return null;
  const { covered, recomputedBy, unproven } = index;
  const by =
    recomputedBy.length > 0
      ? `${recomputedBy.join(', ')} recomputed the index, by your word.`
      : 'Nobody whom you named has recomputed the index.';
  const detail = `Etch ${at} of ${of} of its author in the trees below entry ${covered} of the log. ${by}`;
  const [first] = unproven;
  return first === undefined
    ? placeCheck('pass', 'present', detail)
    : placeCheck('wait', 'present', `${detail} ${sentence(first)}`);
}

const placeCheck = (verdict: Verdict, badge: PlaceCheck['badge'], detail: string): PlaceCheck => ({
  verdict,
  badge,
  detail,
  evidence: [],
});

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/**
 * Reads all entries, so that no changed entry hides the tree. `logIndex` is -1 for an entry that the log does not have.
 * @throws {IndexError} when the entries are not those that the log signed
 */
async function findEntry(log: LogReader, wanted: Uint8Array, { size, root }: tlog.Checkpoint) {
  const hashes: Uint8Array[] = [];
  for await (const data of readEntries(log, 0, size)) hashes.push(tlog.entryHash(data));
  const read: tlog.ReadSubtree = async (height, index) =>
    tlog.foldHashes(hashes.slice(index * 2 ** height, (index + 1) * 2 ** height));
  if (compareBytes(await tlog.rootAt(size, read), root) !== 0)
    throw new IndexError('the entries of the log do not make the root of its checkpoint');
  const hash = tlog.entryHash(wanted);
  return { logIndex: hashes.findIndex((one) => compareBytes(one, hash) === 0), read };
}
