import { Command, CommanderError } from 'commander';
import { apiCommand } from './commands/api.ts';
import { auditCommand } from './commands/audit.ts';
import { operatorCommand } from './commands/operator.ts';
import { keysCommand, profileCommand, renameCommand, whoamiCommand } from './commands/account.ts';
import { challengeCommand } from './commands/challenge.ts';
import { addHiddenCommands, completionCommand } from './commands/completion.ts';
import { etchCommand } from './commands/etch.ts';
import { eventsCommand } from './commands/events.ts';
import { evidenceCommand, openingCommand, receiptCommand } from './commands/receipt.ts';
import { filesCommand } from './commands/files.ts';
import { gitCommand } from './commands/git.ts';
import { hubCommand } from './commands/hub.ts';
import { keygenCommand, registerCommand } from './commands/register.ts';
import { logCommand } from './commands/log.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { retractCommand, revealCommand, showCommand, watchCommand } from './commands/one-etch.ts';
import { openCommand } from './commands/open.ts';
import { recordCommand, searchCommand } from './commands/search.ts';
import { scoreCommand } from './commands/score.ts';
import { settleCommand } from './commands/settle.ts';
import { trustCommand } from './commands/trust.ts';
import { verifyDefinition } from './commands/verify.ts';
import { witnessCommand } from './commands/witness.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { MisfitError } from '@svc/sdk';
import { type Context, printableJson, lines, painter, wantsColors } from './context.ts';
import { EXIT, usageError } from './exit.ts';
import { errorJson, keepAnswer, reportError } from './report-error.ts';
import { renewSession } from './session.ts';
import { useProxies } from './bounded-fetch.ts';
import { addTopics, EXIT_STATUS, TOPICS } from './topics.ts';

const TEACHING = `
First steps:
  $ svc register --name "Tide watcher"                        create an account with a key pair
  $ svc etch --description "A tide" "High water." --wait       public at once, anchored on the chain
  $ svc etch --sealed-until 3d --description "Rain?" "No."    hidden for three days, committed now
  $ svc trust https://svc.example.org                         trust this service's attestations from now on
  $ svc verify <id>                                           check an etch against the chain
  $ svc audit <username>                                      check that the record is complete
  $ svc etch --files <folder> --description "Plans"           commit to files without uploading them
  $ svc score <username>                                      score an account's forecasts

${EXIT_STATUS}

With --json, standard output has only the result (--field etch.id: one value of it) or the error: {"error":{"code","message",…}}.
An error of verify and audit has "result" too.

Environment: SVC_BASE_URL, SVC_API_KEY, SVC_SECRET_KEY, SVC_PROFILE; HTTP_PROXY, HTTPS_PROXY, NO_PROXY, NO_COLOR. Accounts are stored in
$XDG_CONFIG_HOME/svc/profiles.json (~/.config/svc), readable by you only.

More: svc help <command>, and the topics svc help ${Object.keys(TOPICS).join(', svc help ')}.`;

function makeProgram(context: Context): Command {
  const program = new Command('svc')
    .description('Etch texts, seal predictions, and verify etches without trusting the service')
    .version(VERSION)
    .addHelpText('after', TEACHING);
  const commands = [
    registerCommand,
    loginCommand,
    logoutCommand,
    whoamiCommand,
    renameCommand,
    operatorCommand,
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
    logCommand,
    witnessCommand,
    gitCommand,
    hubCommand,
    scoreCommand,
    settleCommand,
    recordCommand,
    eventsCommand,
    webhooksCommand,
    keysCommand,
    profileCommand,
    keygenCommand,
    apiCommand,
    completionCommand,
  ];
  for (const make of commands) program.addCommand(make(context));
  addTopics(program);
  addHiddenCommands(program, context, { section: 1, topics: TOPICS, also: 'svc-admin(8)' });
  program.hook('preAction', async (_, command) => {
    const asksService = command.options.some(({ long }) => long === '--base-url');
    if (asksService) await renewSession(command.opts<{ profile?: string }>().profile, context.env);
  });
  throwInPlaceOfExit(program, context);
  return program;
}

export const run = (args: readonly string[]): Promise<number> =>
  runIn(
    {
      env: process.env,
      stdin: process.stdin,
      out: (text) => void process.stdout.write(text),
      note: (text) => void process.stderr.write(text),
      terminal: process.stderr.isTTY,
      colors: wantsColors(process.env, process.stdout.isTTY),
    },
    args,
    () => useProxies(process.env),
  );

export async function runIn(
  { colors = false, ...given }: Omit<Context, 'finish'> & { colors?: boolean },
  args: readonly string[],
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const paint = painter(args[0]);
  const world = colors ? { ...given, out: (text: string) => given.out(paint(text)) } : given;
  let status: number = EXIT.pass;
  const program = makeProgram({ ...world, finish: (code) => void (status = code) });
  try {
    await prepare();
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.pass;
    const reported = error instanceof CommanderError ? usageError(error.message) : error;
    const report = reportError(reported);
    if (reported === error) world.note(`svc: ${report.text}\n`);
    const kept = error instanceof MisfitError ? keepAnswer(error, world.env) : null;
    if (kept !== null) world.note(lines(`The answer is stored as evidence in ${kept}`));
    if (asksForJson(args)) world.out(`${printableJson(errorJson(reported, args, kept))}\n`);
    return report.status;
  }
}

/** Words after `--` are text. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

function throwInPlaceOfExit(command: Command, context: Context): void {
  command
    .exitOverride()
    .configureOutput({ writeOut: context.out, writeErr: context.note })
    .showHelpAfterError(`(see ${pathOf(command)} --help)`);
  for (const child of command.commands) throwInPlaceOfExit(child, context);
}

/** A test compares it with package.json, which the bundle lacks. */
const VERSION = '1.0.0';
