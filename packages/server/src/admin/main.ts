import { addHiddenCommands, completionExamples, completionScript, SHELL } from '@svc/cli/completion';
import { escapeInvisible } from '@svc/protocol';
import { Command, CommanderError } from 'commander';
import type { Config } from '../settings/config.ts';
import { type Environment, readEnvironment } from '../settings/environment.ts';
import { readConfig } from '../settings/read-config.ts';
import { type AdminContext, adminOf, EXIT, explain } from './context.ts';
import { accountsCommand } from './commands/accounts.ts';
import { backupCommand, exportCommand, importCommand, restoreCommand } from './commands/copies.ts';
import { chainCommand, reAnchorCommand } from './commands/chain.ts';
import { configCommand, doctorCommand, fsckCommand } from './commands/checks.ts';
import { erasuresCommand, revocationsCommand } from './commands/ledgers.ts';
import { scrubCommand } from './commands/scrub.ts';
import { actsCommand, takeDownCommand } from './commands/moderation.ts';
import { command } from './command.ts';
import { VERSION } from '../settings/version.ts';

export async function run(args: readonly string[]): Promise<number> {
  let status: number = EXIT.fine;
  let config: Config | undefined;
  let read: Environment | undefined;
  const environment = (): Environment => (read ??= readEnvironment());
  const program = makeProgram({
    environment,
    config: () => (config ??= readConfig(environment())),
    path: process.env['PATH'] ?? '',
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(escapeInvisible(text)),
    finish: (code) => {
      status = code;
    },
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    const { text, code } = explain(error);
    process.stderr.write(`svc-admin: ${text}\n`);
    return code;
  }
}

const EXIT_STATUS = `Exit status:
  ${EXIT.fine}   done, no fault found
  ${EXIT.fault}   a check found a fault, or the request was rejected
  ${EXIT.unknown}   a check is incomplete: the chain does not answer
  ${EXIT.usage}  bad usage
  ${EXIT.input}  no such account, file, archive or backup
  ${EXIT.unavailable}  the database does not answer, or the service uses it
  ${EXIT.config}  a setting is missing or invalid`;

const FILES = `Files:
  .env       in the working directory: settings, unless the environment has them
  DATA_DIR   the embedded database and chain, generated secrets, notice.txt
  LEDGER_DIR the ledgers of erasures and revocations, and the last checkpoint of the log`;

const TEACHING = `
Run it with the settings of the service: its environment, or its .env in the working directory. With PostgreSQL every
command works while the service runs. Only one process can use the embedded database and chain: stop the service first.

Every day:
  $ svc-admin fsck                         recompute every hash, leaf and root from the stored rows
  $ svc-admin chain check                  read back every attestation; check nonces and the relayer's balance
  $ svc-admin backup /backups/monday       the database (and the embedded parts), secrets in a separate file

Every month, and on request:
  $ svc-admin scrub --window 60            rewrite every table with text, so that no file has retracted text

Against abuse:
  $ svc-admin accounts suspend mallory --reason spam      it still reads, exports, reveals and retracts
  $ svc-admin accounts revoke mallory                     its API keys, and its sessions on the pages
  $ svc-admin accounts hide mallory --reason spam         not in feed and first page; still in record and search
  $ svc-admin take-down kq7f3m --reason personal_data     a text, for good; --yes does it
  $ svc-admin acts                                        the acts of operators, with time and name

After an accident:
  $ svc-admin restore /backups/monday --erasures /safe/erasures.jsonl --revocations /safe/revocations.jsonl
  $ svc-admin re-anchor                    attestations that the chain lost; --yes sends them again
  $ svc-admin chain release                transactions and etches that were set aside

Before a start, and after it:
  $ svc-admin doctor                       what surrounds the service, one line for each part, with a mend
  $ svc-admin config --set                 the settings in use, secrets masked, and likely typos

Moving to another machine:
  $ svc-admin export service.tar.gz        receipts, trees, records and tables in one archive
  $ svc-admin import service.tar.gz        into an empty service

${EXIT_STATUS}`;

const completionCommand = command('completion', 'print a completion script for bash, zsh or fish', {
  input: { '<shell>': SHELL },
  examples: completionExamples('svc-admin'),
  run: ({ shell }, admin) => admin.out(completionScript('svc-admin', shell)),
});

export function makeProgram(context: AdminContext): Command {
  const program = new Command('svc-admin')
    .description('Administer a service: check, back up, move and repair it')
    .version(VERSION)
    .addHelpText('after', TEACHING);
  const commands = [
    accountsCommand,
    configCommand,
    doctorCommand,
    chainCommand,
    reAnchorCommand,
    fsckCommand,
    backupCommand,
    restoreCommand,
    exportCommand,
    importCommand,
    erasuresCommand,
    revocationsCommand,
    scrubCommand,
    takeDownCommand,
    actsCommand,
    completionCommand,
  ];
  let isJson = false;
  program.hook('preAction', (_program, command) => void (isJson = command.opts()['json'] === true));
  const admin = adminOf(context, () => isJson);
  for (const make of commands) program.addCommand(make(admin));
  const topics = { 'exit-status': EXIT_STATUS, files: FILES };
  const out = (text: string) => context.out(text);
  addHiddenCommands(program, { out, env: process.env }, { section: 8, topics, also: 'svc(1)' });
  complete(program);
  return program;
}

/** Makes each command throw in place of an exit, and gives each that does something --json. */
function complete(command: Command): void {
  command.exitOverride().showHelpAfterError('(see --help)');
  if (command.commands.length === 0) command.option('--json', 'print JSON', false);
  command.commands.forEach(complete);
}
