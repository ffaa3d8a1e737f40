// Reads the place of a receipt's etch in the index of accounts, and makes the proof of an omission.
import { compareBytes, type Receipt } from '@svc/protocol';
import { parseIndexAnswer } from '@svc/protocol/account-index';
import * as tlog from '@svc/protocol/tlog';
import { readWholeIndex } from './index-pages.ts';
import { type LogReader, readEntries, tileReader } from './log-reader.ts';
import { checkOmission, makeOmission, parseOmission, placeInIndex, treeOfReceipt } from './omission.ts';
import { checkSavedIndex, type SavedIndex, type SavedTrust } from './read-index.ts';

export type ReceiptPlace =
  | { state: 'present'; at: number; of: number; index: SavedIndex }
  | { state: 'omitted'; index: SavedIndex; omission: object }
  | { state: 'uncovered'; index: SavedIndex; why: string };

/**
 * The proof of an omission needs no answer of the service for the etch: the tree of the receipt is searched in the
 * entries of the log.
 * @throws {LogUnread} @throws {IndexError} @throws {TlogError} when the answers contradict themselves or the log
 * @example
 * const trust = { keys: [], policy: null, indexWitnesses: [], now: 2e9 };
 * await readReceiptPlace(emptyLog, receipt, trust).catch(({ name }) => name); // 'LogUnread'
 */
export async function readReceiptPlace(
  log: LogReader,
  receipt: Receipt,
  trust: SavedTrust,
): Promise<ReceiptPlace> {
  const answers = await readWholeIndex(log, receipt.author.user_id);
  const index = checkSavedIndex(answers.map(parseIndexAnswer), receipt.author.user_id, trust);
  const { at, of } = placeInIndex(receipt, index);
  if (at > 0) return { state: 'present', at, of, index };
  const uncovered = (why: string): ReceiptPlace => ({ state: 'uncovered', index, why });
  const data = treeOfReceipt(receipt);
  if (data === null)
    return uncovered('the receipt names no tree of version 2: download it again if its etch was pending');
  const { size } = index.checkpoint;
  const logIndex = await findEntry(log, data, size);
  if (logIndex === null)
    return uncovered(
      `the log has no tree of the receipt among its ${size} entries: check it later, and run svc audit --all if this stays`,
    );
  if (logIndex >= index.covered)
    return uncovered(`the index does not cover the tree at the log index ${logIndex} yet: check it later`);
  const proof = await tlog.proveInclusion(logIndex, size, tileReader(log, size));
  const omission = makeOmission({ receipt, tree: { logIndex, data, proof }, index: answers });
  checkOmission(parseOmission(omission), trust);
  return { state: 'omitted', index, omission };
}

async function findEntry(log: LogReader, wanted: Uint8Array, size: number): Promise<number | null> {
  let at = 0;
  for await (const data of readEntries(log, 0, size)) {
    if (compareBytes(data, wanted) === 0) return at;
    at++;
  }
  return null;
}
