import { type Context, lines } from './context.ts';
import { EXIT, usageError } from './exit.ts';
import { inertJson } from './inert.ts';
import { reportError, reportErrorJson } from './report-error.ts';
import { verifyCommand } from './verify/verify-command.ts';
import type { VerifyOptions } from './verify/options.ts';

interface Outcome {
  target: string;
  status: number;
  output: string;
}

export async function verifySeveral(
  targets: readonly string[],
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  context: Context,
): Promise<number> {
  const { promise, files, manifest, disclosure } = options;
  if (files.length > 0 || [promise, manifest, disclosure].some((one) => one !== undefined))
    throw usageError('--promise, --files, --manifest and --disclosure apply to one etch: give one receipt');
  if (targets.indexOf('-') !== targets.lastIndexOf('-'))
    throw usageError('standard input (-) can be named once only');
  const outcomes: Outcome[] = [];
  for (const target of targets) {
    const outcome = await verifyOne(target, options, env, context);
    outcomes.push(outcome);
    if (!options.json) context.out(lines(lineOf(outcome)));
  }
  const status = worstStatus(outcomes.map((one) => one.status));
  if (options.json) context.out(`${inertJson(documentOf(outcomes, status))}\n`);
  return status;
}

async function verifyOne(
  target: string,
  options: VerifyOptions,
  env: NodeJS.ProcessEnv,
  context: Context,
): Promise<Outcome> {
  let printed = '';
  try {
    const kept = { ...context, out: (text: string) => void (printed += text) };
    const status = await verifyCommand(target, options, env, kept);
    return { target, status, output: options.json ? printed : printed.trimEnd().split('\n').at(-1)! };
  } catch (error) {
    const { status, text } = reportError(error);
    return { target, status, output: options.json ? reportErrorJson(error, ['verify'], null) : text };
  }
}

const WORDS: Partial<Record<number, string>> = {
  [EXIT.pass]: 'PASS',
  [EXIT.fail]: 'FAIL',
  [EXIT.wait]: 'WAIT',
};

function lineOf({ target, status, output }: Outcome): string {
  const word = WORDS[status] ?? 'ERROR';
  return `${word.padEnd(5)} ${target}: ${output.replace(/^(?:PASS|FAIL|WAIT): /, '').split('\n', 1)[0]}`;
}

function documentOf(outcomes: readonly Outcome[], status: number): object {
  const result = WORDS[status]?.toLowerCase();
  return {
    ...(result === undefined ? {} : { result }),
    exit_status: status,
    receipts: outcomes.map((one) => ({
      target: one.target,
      exit_status: one.status,
      ...(JSON.parse(one.output) as object),
    })),
  };
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
