import { type KeptPromise, overall } from '@svc/verifier';
import { OMISSION_FORMAT } from '@svc/verifier/account-index';
import { type Context, lines, type Shown } from '../context.ts';
import { serviceFactsAt } from '../service-requests.ts';
import { EXIT, usageError } from '../exit.ts';
import { verifyFilesAlone } from '../files/judge-files.ts';
import { type NamedTrust, readNamedTrust } from '../find-trust.ts';
import { NoSuchEtch } from '../load-receipt.ts';
import { pinsPath, readPin } from '../pins.ts';
import { judgePromise, keyNotes, readPromise } from '../proofs/promise.ts';
import { resultUnder } from '../verdict-words.ts';
import { judge } from './check.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { SavedFile } from './load.ts';
import { verifyOmission } from './omission-file.ts';
import { verifyRecord } from './saved-files.ts';
import { makeReport, missingLines, reportJson, reportLines } from './report.ts';
import { errorJson, reportError } from '../report-error.ts';

export async function verifyCommand(
  target: string | undefined,
  options: VerifyOptions,
  context: Context,
): Promise<Shown> {
  if (options.files.length === 0 && (options.manifest ?? options.disclosure) !== undefined)
    throw usageError('--manifest and --disclosure require --files');
  if (target === undefined && options.promise === undefined && options.files.length > 0)
    return verifyFilesAlone(options, context);
  const promised = await readPromise(options);
  const wanted = target ?? promised?.fields.etchId;
  if (wanted === undefined) throw usageError('name a receipt, an etch, or a --promise');
  const named = await readNamedTrust(options.trust);
  const found = await judge(wanted, named, options, context, { promised }).catch((error: unknown) => {
    if (error instanceof SavedFile || (promised !== null && error instanceof NoSuchEtch)) return error;
    throw error;
  });
  if (found instanceof SavedFile)
    return (found.format === OMISSION_FORMAT ? verifyOmission : verifyRecord)(found.value, options, context);
  if (found instanceof NoSuchEtch) return judgeMissing(found, promised!, named, options, context);
  const report = makeReport(found, options, context);
  const status = EXIT[resultUnder(report.condition, report.checked)];
  return { value: reportJson(report), words: reportLines(report), status };
}

/** A result, because there is a promise of the etch. */
async function judgeMissing(
  { origin }: NoSuchEtch,
  promise: KeptPromise,
  named: NamedTrust | null,
  { promiseKey }: VerifyOptions,
  { env }: Context,
): Promise<Shown> {
  const pin = readPin(pinsPath(env), origin);
  const facts =
    pin === null && named === null && promiseKey.length === 0 ? await serviceFactsAt(origin) : null;
  const known = { named, pin, facts };
  const check = judgePromise(promise, { state: 'missing' }, origin, known, promiseKey);
  const notes = keyNotes(known, promiseKey);
  const result = overall({ checks: [check] });
  return {
    value: { result, promise: check, notes },
    words: missingLines(check, notes, result),
    status: EXIT[result],
  };
}

interface Outcome {
  target: string;
  status: number;
  /** the last line */
  summary: string;
  value: object;
}

export async function verifySeveral(
  targets: readonly string[],
  options: VerifyOptions,
  context: Context,
): Promise<Shown> {
  const { promise, files, manifest, disclosure } = options;
  if (files.length > 0 || [promise, manifest, disclosure].some((one) => one !== undefined))
    throw usageError('--promise, --files, --manifest and --disclosure apply to one etch: give one receipt');
  if (targets.indexOf('-') !== targets.lastIndexOf('-'))
    throw usageError('standard input (-) can be named once only');
  const outcomes: Outcome[] = [];
  for (const target of targets) {
    const outcome = await verifyOne(target, options, context);
    outcomes.push(outcome);
    if (!options.json) context.out(lines(lineOf(outcome)));
  }
  const status = worstStatus(outcomes.map((one) => one.status));
  const receipts = outcomes.map((one) => ({ target: one.target, exit_status: one.status, ...one.value }));
  const value = { result: WORDS[status]?.toLowerCase(), exit_status: status, receipts };
  return { value, words: [], status };
}

async function verifyOne(target: string, options: VerifyOptions, context: Context): Promise<Outcome> {
  try {
    const { value, words, status } = await verifyCommand(target, options, context);
    return { target, status: status!, summary: lines(words!.at(-1)!).trimEnd(), value: value as object };
  } catch (error) {
    const { status, text } = reportError(error);
    return { target, status, summary: text, value: errorJson(error, ['verify'], null) };
  }
}

const WORDS: Partial<Record<number, string>> = {
  [EXIT.pass]: 'PASS',
  [EXIT.fail]: 'FAIL',
  [EXIT.wait]: 'WAIT',
};

function lineOf({ target, status, summary }: Outcome): string {
  const word = WORDS[status] ?? 'ERROR';
  return `${word.padEnd(5)} ${target}: ${summary.replace(/^(?:PASS|FAIL|WAIT): /, '').split('\n', 1)[0]}`;
}

/** Failed, then unreadable (64 and above, the greatest), then waiting. */
function worstStatus(statuses: readonly number[]): number {
  const rank = (status: number): number =>
    status === EXIT.fail ? 3 : status === EXIT.wait ? 1 : status === EXIT.pass ? 0 : 2;
  return statuses.reduce(
    (worst, one) => ((rank(one) - rank(worst) || one - worst) > 0 ? one : worst),
    EXIT.pass,
  );
}
