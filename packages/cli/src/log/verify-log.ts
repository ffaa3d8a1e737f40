import { type LogWords, parseLog } from '@svc/protocol/conventions';
import type { Context, Shown } from '../context.ts';
import { asRefusal, EXIT, failError, inputError } from '../exit.ts';
import type { TrustOptions } from '../find-trust.ts';
import type { ServiceOptions } from '../options.ts';
import { onDevelopment, type Result, worstResult } from '../verdict-words.ts';
import { checkedEtch, type CheckedEtch } from '../verify/verify-command.ts';
import { compareLog } from './read-log.ts';
import { requireState } from './log-folder.ts';

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
        ...{ lines: words.lines, root: words.root, anchored_at: etch.receipt.chain.anchored_at },
        ...{ prefix: change === null, change, result: own },
        ...{ etch_result: etch.result, etch_verdict: etch.verdict },
      })),
    },
    words: [
      ...judged.map(({ etch, words, change, result: own }) => {
        const { etch_id, chain } = etch.receipt;
        const why =
          change ?? (own === 'pass' ? 'a prefix of the file' : `a prefix of the file; ${etch.verdict}`);
        return `${own.toUpperCase()}  ${etch_id}  ${chain.anchored_at ?? 'not anchored yet'}  ${words.lines} lines: ${why}`;
      }),
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
