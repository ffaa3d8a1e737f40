import { Command } from 'commander';
import { topicOption } from '../choices.ts';
import { type Context, serviceCommand } from '../context.ts';
import { usageError } from '../exit.ts';
import { withTrust } from '../find-trust.ts';
import { anchorLog, type AnchorOptions } from '../log/anchor-log.ts';
import { proveLine, verifyLine } from '../log/prove-line.ts';
import { type LogVerifyOptions, verifyLog } from '../log/verify-log.ts';
import { withMaking } from '../make-etch.ts';
import { count } from '../options.ts';

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
