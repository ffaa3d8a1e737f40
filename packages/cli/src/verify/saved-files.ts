// `svc verify` of a file of `svc record` (svc-record:v1).
import { ReceiptError } from '@svc/protocol';
import { IndexError } from '@svc/protocol/account-index';
import { TlogError } from '@svc/protocol/tlog';
import { overall } from '@svc/verifier';
import * as index from '@svc/verifier/account-index';
import { EvidenceError, parseEvidence } from '@svc/verifier/evidence';
import { plural } from '../audit/print-audit.ts';
import type { Context, Shown } from '../context.ts';
import { when } from '../context.ts';
import { EXIT, parsed } from '../exit.ts';
import { chooseTrust, readNamedTrust, trustOfReceipt } from '../find-trust.ts';
import { pinsPath, readPin } from '../pins.ts';
import { savedTrust } from '../proofs/account-index.ts';
import { verifyBlocks } from '../proofs/chain.ts';
import { completeWords, type Result, VERDICT_WORDS, worstResult } from '../verdict-words.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { originOfUrl } from './load.ts';

const KINDS = [IndexError, TlogError, ReceiptError];

/** In words, with the verdict that it gives. */
export function faultOf(error: unknown, { keys }: index.SavedTrust): { result: Result; detail: string } {
  if (error instanceof index.LogUnread)
    return {
      result: 'wait',
      detail:
        keys.length === 0
          ? 'no key of the log is pinned: run svc trust <url> for its service, or give --trust or a --policy that names its log'
          : error.message,
    };
  if (KINDS.some((kind) => error instanceof kind))
    return { result: 'fail', detail: (error as Error).message };
  throw error;
}

export async function verifyRecord(value: unknown, options: VerifyOptions, context: Context): Promise<Shown> {
  const file = parsed(
    () => index.parseRecordFile(value),
    IndexError,
    'FAIL: not a valid record file',
    EXIT.fail,
  );
  const { account, savedAt, service } = file;
  const trust = await savedTrust(options, originOfUrl(service), context);
  const heading = `Record of ${account.username} (${account.user_id}), saved at ${savedAt} from ${service}, as the file says`;
  const of = { account, saved_at: savedAt, service };
  let checked: index.CheckedRecord;
  try {
    checked = await index.checkRecordFile(file, trust);
  } catch (error) {
    const { result, detail } = faultOf(error, trust);
    const words = [heading, '', `${result.toUpperCase()}  the index of accounts: ${detail}`];
    return {
      value: { result, ...of, faults: [detail] },
      words: [...words, VERDICT_WORDS.record[result === 'fail' ? 'fail' : 'wait']],
      status: EXIT[result],
    };
  }
  const { record, index: read, counts } = checked;
  const times = await timesOf(file, options, context);
  const unproven = [...read.unproven, ...record.unproven];
  const isFalse = record.faults.length > 0;
  const found = worstResult([isFalse ? 'fail' : unproven.length > 0 ? 'wait' : 'pass', times.result]);
  const isByOperator = found === 'pass' && read.recomputedBy.length === 0;
  const upTo =
    checked.upTo ?? `${savedAt} (the time in the file, by the clock of the service or browser that saved it)`;
  const notes = [
    `the index covers ${plural(read.covered, 'entry', 'entries')} of the log ${read.checkpoint.origin}`,
    ...read.recomputedBy.map(
      (name) => `the witness ${name} recomputed the index, by your word, and cosigned it`,
    ),
    ...record.notes,
    ...times.notes,
  ];
  const result: Result = isByOperator ? 'wait' : found;
  const last = found !== 'pass' ? VERDICT_WORDS.record[found] : completeWords(counts, upTo, isByOperator);
  return {
    value: {
      result,
      ...of,
      counts: record.counts,
      up_to: found === 'pass' ? upTo : null,
      faults: record.faults,
      unproven,
      notes,
    },
    words: [
      heading,
      '',
      ...record.faults.map(({ what, hash, detail }) => `FAIL  ${what}: ${hash}: ${detail}`),
      ...times.faults.map((detail) => `FAIL  ${detail}`),
      ...unproven.map((detail) => `WAIT  unproven: ${detail}`),
      ...notes.map((note) => `INFO  ${note}`),
      ...when(found !== 'pass', `INFO  ${counts}`),
      last,
    ],
    status: EXIT[result],
  };
}

interface Times {
  result: Result;
  faults: string[];
  notes: string[];
}

/** Evidence in the file counts if a block hash or an endpoint is given. */
async function timesOf(
  { evidence, etches, service }: index.RecordFile,
  options: VerifyOptions,
  { env }: Context,
): Promise<Times> {
  const none = { result: 'pass', faults: [] } as const;
  if (evidence.length === 0)
    return {
      ...none,
      faults: [],
      notes: ['the times of the etches are those that the service gave; svc record --evidence saves proofs'],
    };
  const { blockHash, rpc, offline } = options;
  const asks = blockHash.length > 0 || (rpc.length > 0 && !offline);
  const named = await readNamedTrust(options.trust);
  const origin = originOfUrl(service);
  const known = { named, pin: origin === null ? null : readPin(pinsPath(env), origin), facts: null };
  const results: Result[] = [];
  const faults: string[] = [];
  for (const one of evidence) {
    try {
      const file = parseEvidence(one);
      const { receipt } = file;
      if (!etches.some(({ hash }) => hash === receipt.hash))
        throw new IndexError(`the evidence of etch ${receipt.etch_id} is of no etch in the file`);
      const chosen = chooseTrust(options, known, trustOfReceipt(receipt))!;
      const result = overall(await verifyBlocks(file, chosen.trust, options));
      if (result === 'fail') faults.push(`the evidence of etch ${receipt.etch_id} does not hold`);
      results.push(result === 'pass' && !chosen.pinned ? 'wait' : result);
    } catch (error) {
      if (![...KINDS, EvidenceError].some((kind) => error instanceof kind)) throw error;
      faults.push((error as Error).message);
    }
  }
  const proven = results.filter((one) => one === 'pass').length;
  const note = `proofs of time that hold: ${proven} of ${evidence.length}${asks ? '' : '; give --block-hash or --rpc to require them'}`;
  const worst = faults.length > 0 ? 'fail' : asks ? worstResult(results) : 'pass';
  return { result: worst, faults, notes: [note] };
}
