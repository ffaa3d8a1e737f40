import { lineSalt, LOG_PROOF_FORMAT, LogTree, parseLog, parseLogProof } from '@svc/protocol/conventions';
import type { LogProof, LogWords } from '@svc/protocol/conventions';
import type { Context, Shown } from '../context.ts';
import { asRefusal, EXIT, failError, inputError } from '../exit.ts';
import type { TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { onDevelopment, type Result, worstResult } from '../verdict-words.ts';
import { type CheckedEtch, checkedEtch } from '../verify/checked-etch.ts';
import { compareLog, readLog } from './read-log.ts';
import { afterRotation, requireState, saltOf } from './log-folder.ts';
import { parseJson, readInput } from '../input-file.ts';
import { bytesToHex } from '@svc/protocol';
import { sha256 } from '../files/manifest-file.ts';
import { writeOut } from '../out-file.ts';

export type LogVerifyOptions = ServiceOptions & TrustOptions & { etch?: string };

interface AnchoredState {
  etch: CheckedEtch;
  words: LogWords;
}

const MOST_STATES = 10_000;

/** Every anchored state must be a prefix of the file, and its etch valid. */
export async function verifyLog(
  log: string,
  options: LogVerifyOptions,
  context: Context,
  most = MOST_STATES,
): Promise<Shown> {
  const state = await requireState(log);
  const target = options.etch ?? state.last?.etch;
  if (target === undefined) throw inputError(`${log} was never anchored: run svc log anchor ${log}`);
  const states = await readStates(target, most, options, context);
  const compared = await compareLog(
    log,
    state,
    states.map(({ words }) => words),
  );
  const judged = states.map(({ etch, words }) => {
    const change = compared.changeSince(words);
    const result: Result = change === null ? etch.result : 'fail';
    return { etch, words, change, result };
  });
  const result = worstResult(judged.map((one) => one.result));
  const verdict = {
    pass: onDevelopment(
      `PASS: ${states.length} anchored ${states.length === 1 ? 'state is a prefix' : 'states are prefixes'} of ${log}, which has ${compared.lines} lines now.`,
      states.some(({ etch }) => etch.isDevelopment),
    ),
    fail: `FAIL: ${log} does not continue every anchored state.`,
    wait: `WAIT: every anchored state is a prefix of ${log}, but an etch cannot be confirmed now.`,
  }[result];
  return {
    value: {
      result,
      lines: compared.lines,
      states: judged.map(({ etch, words, change, result: own }) => ({
        etch: etch.receipt.etch_id,
        lines: words.lines,
        root: words.root,
        anchored_at: etch.receipt.chain.anchored_at,
        prefix: change === null,
        change,
        result: own,
        etch_result: etch.result,
        etch_verdict: etch.verdict,
      })),
    },
    words: [
      ...judged.map(({ etch, words, change, result: own }) => {
        const { etch_id, chain } = etch.receipt;
        const why =
          change ?? (own === 'pass' ? 'a prefix of the file' : `a prefix of the file; ${etch.verdict}`);
        return `${own.toUpperCase()}  ${etch_id}  ${chain.anchored_at ?? 'not anchored yet'}  ${words.lines} lines: ${why}`;
      }),
      ...(judged.some(({ change }) => change !== null) ? [`${afterRotation(log)}.`] : []),
      verdict,
    ],
    status: EXIT[result],
  };
}

async function readStates(
  target: string,
  most: number,
  options: LogVerifyOptions,
  context: Context,
): Promise<AnchoredState[]> {
  const states: AnchoredState[] = [];
  for (let next: string | null = target; next !== null;) {
    if (states.length === most)
      throw inputError(
        `${target} has more than ${most} earlier states. Verify the log up to an earlier etch with --etch`,
      );
    const etch: CheckedEtch = await checkedEtch(next, options, context);
    const { etch_id: id, author } = etch.receipt;
    const words = asRefusal(() => parseLog(etch.content), EXIT.fail);
    const later = states.at(-1);
    const broken =
      later === undefined
        ? null
        : author.user_id !== later.etch.receipt.author.user_id
          ? 'is by a different account'
          : words.lines >= later.words.lines
            ? `has ${words.lines} lines, not fewer than the later state`
            : null;
    if (broken !== null) throw failError(`FAIL: the earlier state ${id} ${broken}`);
    states.push({ etch, words });
    next = words.prev;
  }
  return states.reverse();
}

export async function proveLine(log: string, number: number, out: string | undefined): Promise<Shown> {
  const state = await requireState(log);
  const { last } = state;
  if (last === null || number > last.lines)
    throw inputError(
      `line ${number} of ${log} is not anchored: the last anchored state has ${last?.lines ?? 0} lines`,
    );
  const tree = new LogTree(sha256, number - 1);
  let bytes: Uint8Array | null = null;
  await readLog(
    log,
    saltOf(state),
    (line) => {
      if (line.number > last.lines) return;
      tree.add(line.leaf);
      bytes ??= line.bytes;
    },
    number,
  );
  if (bytes !== null && Buffer.from(bytes).subarray(0, -1).includes('\r'))
    throw inputError(
      `line ${number} of ${log} has a carriage return, so it would look like several lines: no proof shows it`,
    );
  if (bytes === null || bytesToHex(tree.root()) !== last.root)
    throw failError(
      `${log} does not begin with the lines of etch ${last.etch}: svc log verify ${log} names the change`,
    );
  const proof: LogProof = {
    _format: LOG_PROOF_FORMAT,
    etch: last.etch,
    root: last.root,
    lines: last.lines,
    number,
    line: Buffer.from(bytes).toString('base64'),
    salt: bytesToHex(lineSalt(saltOf(state), number, sha256)),
    proof: tree.proof()!.map(bytesToHex),
  };
  if (out === undefined) return { value: proof };
  writeOut(out, proof);
  const words = [`${out} shows line ${number} of etch ${last.etch} and no other line`];
  return { value: { file: out, number, root: last.root }, words };
}

export async function verifyLine(path: string, options: LogVerifyOptions, context: Context): Promise<Shown> {
  const bytes = await readInput(path);
  const proof = asRefusal(() => parseLogProof(parseJson(bytes), sha256), EXIT.fail);
  const etch = await checkedEtch(options.etch ?? proof.etch, options, context);
  const words = asRefusal(() => parseLog(etch.content), EXIT.fail);
  const isSame = words.root === proof.root && words.lines === proof.lines;
  const result = isSame ? etch.result : 'fail';
  const { chain, etch_id: id } = etch.receipt;
  const line = Buffer.from(proof.line, 'base64').toString('utf8');
  const what = `line ${proof.number} of ${proof.lines} in etch ${id}, anchored at ${chain.anchored_at ?? '(not yet)'}`;
  const agrees =
    result === 'pass' ? onDevelopment(`PASS: this is ${what}.`, etch.isDevelopment) : etch.verdict;
  const differs = `FAIL: the proof is not of etch ${id}: root or number of lines differ.`;
  return {
    value: { result, etch: id, number: proof.number, line, etch_verdict: etch.verdict },
    words: [line, isSame ? agrees : differs],
    status: EXIT[result],
  };
}
