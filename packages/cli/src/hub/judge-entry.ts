// Judges one entry of a record file: the proof of its etch, and the words that it commits to.
import { parseReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { ConventionError, type HubWords, parseHub } from '@svc/protocol/conventions';
import type { Context } from '../context.ts';
import { CommandError, EXIT, waitError } from '../exit.ts';
import { loadReceipt, readReceipt } from '../load-receipt.ts';
import { clientOf } from '../session.ts';
import type { Result } from '../verdict-words.ts';
import { type CheckedReceipt, checkedReceipt } from '../verify/checked-etch.ts';
import type { CheckOptions } from './check-options.ts';
import type { HubRecord, Submission } from './record-file.ts';

export interface JudgedEntry {
  etch: string;
  /** of the attestation, as the chain has it; null: not read */
  time: string | null;
  result: Result;
  /** null: sealed, erased, or not those of this file */
  words: HubWords | null;
  author: Receipt['author'] | null;
  detail: string;
  isDevelopment: boolean;
}

export async function judgeEntry(
  record: HubRecord,
  at: number,
  options: CheckOptions,
  context: Context,
): Promise<JudgedEntry> {
  const entry = record.submissions[at]!;
  const etch = entry.etch ?? '';
  const none = { etch, time: null, words: null, author: null, isDevelopment: false };
  try {
    const checked = await checkEntry(record, entry, options, context);
    const { receipt, time, result, content, verdict, isDevelopment } = checked;
    const found = { ...none, time, result, author: receipt.author, detail: verdict, isDevelopment };
    const refused = (detail: string) => ({ ...found, result: 'fail', detail }) as const;
    const other = (detail: string) => refused(`the receipt is of another file: ${detail}`);
    if (receipt.etch_id !== etch) return other(`the receipt is of etch ${receipt.etch_id}`);
    if (receipt.status === 'sealed' && content === null)
      return {
        ...found,
        result: 'wait',
        detail: 'the etch is sealed: its words are public once the window closes',
      };
    if (content === null) return refused(`the words of the etch are ${receipt.status}`);
    const words = parseHub(content);
    const { hub, round, model, submissions } = record;
    const expected = { hub, round, model, file: entry.hash, prev: submissions[at - 1]?.etch ?? null };
    const differs = (['hub', 'round', 'model', 'file', 'prev'] as const).find(
      (name) => words[name] !== expected[name],
    );
    if (differs === undefined) return { ...found, words };
    return other(`the etch is of ${differs} ${words[differs]}, not ${expected[differs]}`);
  } catch (error) {
    const isFault = error instanceof ReceiptError || error instanceof ConventionError;
    if (!isFault && !(error instanceof CommandError)) throw error;
    const isWaiting = !isFault && (error.status === EXIT.wait || error.status === EXIT.unavailable);
    return { ...none, result: isWaiting ? 'wait' : 'fail', detail: error.message };
  }
}

/** A receipt from before the attestation or the reveal is read again, from the service that the reader names. */
async function checkEntry(
  { service }: HubRecord,
  { etch, receipt: value }: Submission,
  options: CheckOptions,
  context: Context,
): Promise<CheckedReceipt> {
  if (etch === null) throw waitError('the answer of the service was lost: run svc hub submit again');
  const receipt = value === null ? null : parseReceipt(value);
  const isAttested = receipt !== null && receipt.chain.attestation_uid !== null;
  const isComplete = receipt?.status === 'retracted' || (isAttested && receipt.canonical_string !== null);
  const { origin } = clientOf(options, context);
  if (isComplete) return checkedReceipt(receipt, options, context);
  if (new URL(service).origin === origin) {
    const read = await loadReceipt(`${origin}/e/${etch}`, origin, false);
    return checkedReceipt(readReceipt(read.value), options, context);
  }
  throw waitError(
    `the stored receipt is not complete: name its service, if you know it, with --base-url ${new URL(service).origin}`,
  );
}
