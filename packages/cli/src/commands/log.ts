import { answer, type Context, say, serviceCommand } from '../context.ts';
import { Command } from 'commander';
import { count, topicOption } from '../options.ts';
import { asRefusal, EXIT, failError, usageError } from '../exit.ts';
import { withTrust } from '../find-trust.ts';
import { proveLine, verifyLine } from '../log/prove-line.ts';
import { type LogVerifyOptions, verifyLog } from '../log/verify-log.ts';
import { make, type MakeOptions, withMaking } from '../make-etch.ts';
import { logWords, parseLog } from '@svc/protocol/conventions';
import type { TopicId } from '@svc/sdk';
import { type Compared, compareLog } from '../log/read-log.ts';
import { makeFolder, newState, readState, writeLeaves, writeState } from '../log/log-folder.ts';
import type { LogState } from '../log/log-folder.ts';

export function logCommand(context: Context): Command {
  const log = new Command('log').description(
    'anchor an append-only log, and prove that only new lines were added',
  );
  for (const make of [anchorCommand, verifyCommand, proveCommand]) log.addCommand(make(context));
  return log;
}

const anchorCommand = (context: Context): Command =>
  withMaking(
    serviceCommand('anchor', 'etch the root over the lines of a file, which is not sent', [
      'svc log anchor transcript.jsonl',
      'svc log anchor audit.log --description "Audit log of the weir" --wait',
    ]),
  )
    .argument('<file>', 'the log; its salt and line hashes are stored in <file>.svc-log')
    .option(
      '--description <text>',
      'public at once and permanently; at most 140 characters',
      'A state of an append-only log',
    )
    .addOption(topicOption())
    .action((file: string, options: AnchorOptions) => anchorLog(file, options, context));

const verifyCommand = (context: Context): Command =>
  withTrust(
    serviceCommand(
      'verify',
      'check that every anchored state is a prefix of the file, or check the proof of one line',
      [
        'svc log verify transcript.jsonl',
        'svc log verify audit.log --etch abc234     # this state and the earlier ones',
        'svc log verify --proof line.json',
      ],
    ),
  )
    .argument('[file]', 'the log, with its folder <file>.svc-log')
    .option(
      '--etch <etch>',
      'id, code, url or receipt file of the last state (default: the one in <file>.svc-log)',
    )
    .option('--proof <file>', 'check this proof of one line (svc log prove) instead of a log')
    .action((file: string | undefined, options: LogVerifyOptions & { proof?: string }) => {
      if ((file === undefined) === (options.proof === undefined))
        throw usageError('name a log, or give --proof');
      return file === undefined
        ? verifyLine(options.proof!, options, context)
        : verifyLog(file, options, context);
    });

const proveCommand = (context: Context): Command =>
  new Command('prove')
    .description('write a proof that shows one anchored line and no other')
    .argument('<file>', 'the log, with its folder <file>.svc-log')
    .requiredOption('--line <number>', 'the line, from 1', count)
    .option('--out <file>', 'write the proof to this file')
    .option('--json', 'print the result as JSON', false)
    .addHelpText(
      'after',
      `\nExamples:\n  $ svc log prove transcript.jsonl --line 7 --out line.json\n  $ svc log verify --proof line.json\n`,
    )
    .action((file: string, options: { line: number; out?: string; json: boolean }) =>
      proveLine(file, options, context),
    );

interface AnchorOptions extends MakeOptions {
  description: string;
  topic: string;
}

async function anchorLog(log: string, options: AnchorOptions, context: Context): Promise<void> {
  const state = (await readState(log)) ?? newState();
  const { last } = state;
  const compared = await storeLeaves(log, state);
  if (last !== null && last.root === compared.root && last.lines === compared.lines)
    return answer(context, options, { etch: { id: last.etch }, log: last, anchored: false }, [
      `${log} has no new line since etch ${last.etch}; nothing was etched`,
    ]);
  // Before the etch: nothing can replace a lost salt.
  writeState(log, state);
  const { root, lines: count } = compared;
  const content = logWords({ root, lines: count, prev: last?.etch ?? null });
  const etch = await make(
    { content, description: options.description, category_id: options.topic as TopicId, mode: 'instant' },
    options,
    context,
    { more: { log: { root, lines: count } }, retry: ['--description', options.description] },
  );
  // A replayed Idempotency-Key returns an earlier etch.
  const made = asRefusal(() => parseLog(etch.content ?? ''), EXIT.fail);
  if (made.root !== root)
    throw failError(`etch ${etch.id} has a different root: the --idempotency-key was used before`);
  writeState(log, { ...state, last: { etch: etch.id, root, lines: count } });
  if (last === null)
    say(context, `Keep the folder ${log}.svc-log with the log: its salt is needed to verify it.`);
}

async function storeLeaves(log: string, state: LogState): Promise<Compared> {
  const { last } = state;
  makeFolder(log);
  const writer = writeLeaves(log);
  try {
    const compared = await compareLog(log, state, last === null ? [] : [last], writer);
    const change = last === null ? null : compared.changeSince(last);
    if (change !== null)
      throw failError(
        `${log} does not continue etch ${last!.etch} (${last!.lines} lines): ${change}. Nothing was etched; restore the line, or anchor the changed log under a new file name`,
      );
    writer.replace();
    return compared;
  } catch (error) {
    writer.discard();
    throw error;
  }
}
