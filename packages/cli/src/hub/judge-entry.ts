// Judges one entry of a record file: the proof of its etch, and the words that it commits to.
import { parseReceipt, type Receipt, ReceiptError } from '@svc/protocol';
import { ConventionError, type HubWords, parseHub } from '@svc/protocol/conventions';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import type { TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { clientOf } from '../session.ts';
import type { Result } from '../verdict-words.ts';
import { type CheckedReceipt, checkedEtch, checkedReceipt } from '../verify/checked-etch.ts';
import type { Hub } from './read-hub.ts';
import type { HubRecord, Submission } from './record-file.ts';

export interface JudgedEntry {
  etch: string;
  hash: string;
  /** of the attestation, as the chain has it; null: not read */
  time: string | null;
  result: Result;
  /** null: sealed, erased, or not those of this file */
  words: HubWords | null;
  author: Receipt['author'] | null;
  detail: string;
  isDevelopment: boolean;
}

export type JudgeOptions = ServiceOptions & TrustOptions;

export async function judgeEntry(
  hub: Hub,
  record: HubRecord,
  at: number,
  options: JudgeOptions,
  context: Context,
): Promise<JudgedEntry> {
  const entry = record.submissions[at]!;
  const { hash } = entry;
  const etch = entry.etch ?? '';
  const none = { etch, hash, time: null, words: null, author: null, isDevelopment: false };
  if (entry.etch === null)
    return {
      ...none,
      result: 'wait',
      detail: 'the answer of the service was lost: run svc hub submit again',
    };
  try {
    const checked = await checkEntry(record, entry, options, context);
    const { receipt, time, result, content, verdict, isDevelopment } = checked;
    const { author } = receipt;
    const found = { ...none, time, result, author, detail: verdict, isDevelopment };
    if (receipt.etch_id !== etch) return other(found, `the receipt is of etch ${receipt.etch_id}`);
    if (content === null)
      return receipt.status === 'sealed'
        ? {
            ...found,
            result: 'wait',
            detail: 'the etch is sealed: its words are public once the window closes',
          }
        : { ...found, result: 'fail', detail: `the words of the etch are ${receipt.status}` };
    const words = parseHub(content);
    const differs = (['hub', 'round', 'model'] as const).find(
      (name) => words[name] !== { hub: hub.name, round: record.round, model: record.model }[name],
    );
    if (differs !== undefined) return other(found, `the etch is of ${differs} ${words[differs]}`);
    if (words.file !== hash) return other(found, 'the etch is of another file');
    const earlier = record.submissions[at - 1]?.etch ?? null;
    if (words.prev !== earlier)
      return other(
        found,
        `the etch names ${words.prev ?? 'none'} as the earlier etch, not ${earlier ?? 'none'}`,
      );
    return { ...found, words };
  } catch (error) {
    if (error instanceof ReceiptError || error instanceof ConventionError)
      return { ...none, result: 'fail', detail: error.message };
    if (!(error instanceof CommandError)) throw error;
    const isWaiting = error.status === EXIT.wait || error.status === EXIT.unavailable;
    return { ...none, result: isWaiting ? 'wait' : 'fail', detail: error.message };
  }
}

const other = (found: Omit<JudgedEntry, 'words'>, detail: string): JudgedEntry => ({
  ...found,
  words: null,
  result: 'fail',
  detail: `the receipt is of another file: ${detail}`,
});

/** A receipt from before the attestation or the reveal is read again, from the service that the reader names. */
async function checkEntry(
  { service }: HubRecord,
  { etch, receipt: value }: Submission,
  options: JudgeOptions,
  context: Context,
): Promise<CheckedReceipt> {
  const receipt = value === null ? null : parseReceipt(value);
  const isComplete =
    receipt !== null && receipt.chain.attestation_uid !== null && receipt.canonical_string !== null;
  const { origin } = clientOf(options, context);
  if (isComplete || receipt?.status === 'retracted') return checkedReceipt(receipt, options, context);
  if (new URL(service).origin === origin) return checkedEtch(`${origin}/e/${etch}`, options, context);
  throw new CommandError(
    EXIT.wait,
    `the stored receipt is not complete: name its service, if you know it, with --base-url ${new URL(service).origin}`,
  );
}
