import { Command, CommanderError } from 'commander';
import { apiCommand } from './commands/api.ts';
import { auditCommand } from './commands/audit.ts';
import { keysCommand, profileCommand, renameCommand, whoamiCommand } from './commands/account.ts';
import { challengeCommand } from './commands/challenge.ts';
import { completeCommand, completionCommand } from './commands/completion.ts';
import { etchCommand } from './commands/etch.ts';
import { eventsCommand } from './commands/events.ts';
import { evidenceCommand } from './commands/evidence.ts';
import { filesCommand } from './commands/files.ts';
import { keygenCommand } from './commands/keygen.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import {
  openingCommand,
  receiptCommand,
  retractCommand,
  revealCommand,
  showCommand,
  watchCommand,
} from './commands/one-etch.ts';
import { openCommand } from './commands/open.ts';
import { recordCommand } from './commands/record.ts';
import { registerCommand } from './commands/register.ts';
import { scoreCommand } from './commands/score.ts';
import { searchCommand } from './commands/search.ts';
import { trustCommand } from './commands/trust.ts';
import { verifyDefinition } from './commands/verify.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { MisfitError } from '@svc/sdk';
import { lines } from './context.ts';
import type { Context } from './context.ts';
import { CommandError, EXIT } from './exit.ts';
import { keepAnswer } from './keep-answer.ts';
import { renewSession } from './renew-session.ts';
import { reportError, reportErrorJson } from './report-error.ts';
import { fieldContext, offerField } from './field.ts';
import { VERSION } from './version.ts';

const TEACHING = `
First steps:
  $ svc register --name "Tide watcher"                        an account out of a key pair
  $ svc etch "High water at 14:12." --wait                    public at once, anchored on the chain
  $ svc etch --sealed-until 3d --description "Rain?" "No."    hidden until then, committed to now
  $ svc trust https://svc.example.org                         whose attestations count, from now on
  $ svc verify <id>                                           checked against the chain
  $ svc audit <username>                                      is the record complete? by the chain
  $ svc etch --files <folder> --description "Plans"           files, without uploading them
  $ svc score <username>                                      what came of an account's forecasts

Exit status:
  ${EXIT.pass}   done; of verify and audit: everything holds
  ${EXIT.fail}   refused; of verify and audit: something does not hold
  ${EXIT.wait}   not known yet, or not in the time given
  ${EXIT.usage}  bad usage
  ${EXIT.input}  no such file, etch, challenge, account or key
  ${EXIT.unavailable}  the service cannot be reached, or asks to be called later
  ${EXIT.permission}  no valid API key, or it may not do this

With --json the result is on standard output alone (--field etch.id: one value of it), a failure too: {"error":{"code","message",…}},
of verify and audit with "result" beside it.

Environment: SVC_BASE_URL, SVC_API_KEY, SVC_SECRET_KEY, SVC_PROFILE. Accounts are kept in
$XDG_CONFIG_HOME/svc/profiles.json (~/.config/svc), readable by you alone.`;

/** The whole program, with what it has of the world. */
function makeProgram(context: Context): Command {
  const program = new Command('svc')
    .description('Etch texts, seal predictions, and check etches without trusting anybody')
    .version(VERSION)
    .addHelpText('after', TEACHING);
  const commands = [
    registerCommand,
    loginCommand,
    logoutCommand,
    whoamiCommand,
    renameCommand,
    etchCommand,
    showCommand,
    watchCommand,
    revealCommand,
    retractCommand,
    challengeCommand,
    searchCommand,
    receiptCommand,
    evidenceCommand,
    openingCommand,
    openCommand,
    trustCommand,
    verifyDefinition,
    auditCommand,
    filesCommand,
    scoreCommand,
    recordCommand,
    eventsCommand,
    webhooksCommand,
    keysCommand,
    profileCommand,
    keygenCommand,
    apiCommand,
  ];
  const fields = fieldContext(context);
  for (const make of commands) program.addCommand(make(fields.context));
  program.addCommand(completionCommand(context));
  program.addCommand(
    completeCommand(context, () => program),
    { hidden: true },
  );
  offerField(program, fields);
  program.hook('preAction', async (_, command) => {
    const asksService = command.options.some(({ long }) => long === '--base-url');
    if (asksService) await renewSession(command.opts<{ profile?: string }>().profile, context.env);
  });
  throwInPlaceOfExit(program, context);
  return program;
}

/** Runs `svc` with its arguments. @returns the exit status */
export const run = (args: readonly string[]): Promise<number> =>
  runIn(
    {
      env: process.env,
      stdin: process.stdin,
      out: (text) => void process.stdout.write(text),
      note: (text) => void process.stderr.write(text),
      terminal: process.stderr.isTTY,
    },
    args,
  );

/** The same with another world than this process’s. */
export async function runIn(world: Omit<Context, 'finish'>, args: readonly string[]): Promise<number> {
  let status: number = EXIT.pass;
  const program = makeProgram({ ...world, finish: (code) => void (status = code) });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.pass;
    // What was called wrongly was explained where people read.
    const told = error instanceof CommanderError ? new CommandError(EXIT.usage, error.message) : error;
    const report = reportError(told);
    if (told === error) world.note(`svc: ${report.text}\n`);
    const kept = error instanceof MisfitError ? keepAnswer(error, world.env) : null;
    if (kept !== null) world.note(lines(`The answer is kept as evidence in ${kept}`));
    if (asksForJson(args)) world.out(reportErrorJson(told, args, kept));
    return report.status;
  }
}

/** Before `--`, after which everything is text. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/** As it is typed. */
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

function throwInPlaceOfExit(command: Command, context: Context): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.note })
    .showHelpAfterError(`(${pathOf(command)} --help says more)`);
  for (const child of command.commands) throwInPlaceOfExit(child, context);
}
