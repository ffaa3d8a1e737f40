// Judges one entry of a record file: the proof of its etch, and the words that it commits to.
import { type Receipt, ReceiptError } from '@svc/protocol';
import { ConventionError, type HubWords, parseHub } from '@svc/protocol/conventions';
import type { Context } from '../context.ts';
import { CommandError, EXIT, waitError } from '../exit.ts';
import { clientWithoutKey, readErrorOf } from '../service-requests.ts';
import { clientOf } from '../session.ts';
import type { Result } from '../verdict-words.ts';
import { type CheckedReceipt, checkedReceipt } from '../verify/checked-etch.ts';
import type { CheckOptions } from './check-options.ts';
import type { HubRecord, Submission } from './record-file.ts';

export interface JudgedEntry {
  etch: string;
  /** the earliest that a proof shows; null: no time is proven */
  time: string | null;
  proof: string | null;
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
  const none = { etch, time: null, proof: null, words: null, author: null, isDevelopment: false };
  try {
    const checked = await checkEntry(record, entry, options, context);
    const { receipt, time, proof, result, content, verdict, isDevelopment } = checked;
    const found = { ...none, time, proof, result, author: receipt.author, detail: verdict, isDevelopment };
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
  const stored = value === null ? null : await checkedReceipt(value, options, context);
  const { receipt, content = null } = stored ?? {};
  const isAttested = receipt !== undefined && receipt.chain.attestation_uid !== null;
  const isComplete = receipt?.status === 'retracted' || (isAttested && content !== null);
  if (stored !== null && isComplete) return stored;
  const { origin } = clientOf(options, context);
  const from = new URL(service).origin;
  if (from !== origin)
    throw waitError(
      `the stored receipt is not complete: name its service, if you know it, with --base-url ${from}`,
    );
  const url = `${origin}/e/${etch}`;
  const evidence = await clientWithoutKey(origin)
    .evidence(etch)
    .catch((error: unknown) => Promise.reject(readErrorOf(error, url) as Error));
  return checkedReceipt(evidence, options, context);
}
