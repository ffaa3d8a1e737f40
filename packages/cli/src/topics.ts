// What `svc help <topic>` and the manual page print in addition to the commands.
import { Command } from 'commander';
import { EXIT } from './exit.ts';

export const EXIT_STATUS = `Exit status:
  ${EXIT.pass}   done; verify and audit: every check passes
  ${EXIT.fail}   rejected; verify and audit: a check fails
  ${EXIT.wait}   not known yet, or not within the time limit
  ${EXIT.usage}  bad usage
  ${EXIT.input}  no such file, etch, challenge, account or key
  ${EXIT.unavailable}  the service cannot be reached, or is overloaded
  ${EXIT.defect}  a defect of svc; it says nothing about an etch
  ${EXIT.permission}  no valid API key, or the key lacks the permission`;

/**
 * The topics of `svc help` by name. The first word of a text is its heading. A topic with the name of a command is added
 * to the help of the command.
 */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-status': EXIT_STATUS,
  trust: `Trust:
  A check passes (exit status ${EXIT.pass}) only under a chain id, a contract, a schema and relayers that you supply. svc takes each
  from the first of these sources that has it:
    1. the options --chain-id, --contract, --schema and --relayer
    2. --trust <url|file>: a service, or its saved /.well-known/svc.json
    3. the pin of the service (svc trust <url>), like a known host of SSH
  Values that only the service or the receipt names end with ${EXIT.wait}. svc never replaces a pin silently: compare changed values
  with the operator over another channel, then run svc trust --accept <url>.
  A chain is read through --rpc, or else through an endpoint that the pinned service names.`,
  files: `Files:
  In $XDG_CONFIG_HOME/svc (~/.config/svc), readable by you only:
    profiles.json  accounts: service, API key and secret key. Back it up: a lost secret key cannot be replaced
    trust.json     pins of services
    audit-*.json   what the last audit read, so that the next one reads only what is new
    blind/, times/ values of unfinished etches, so that a retry etches the same
    answers/       answers of a service that do not fit the API, as evidence
  svc reads no other configuration. Receipts and evidence are written where --out says.`,
};

/** Lets `svc help <topic>` print each topic. */
export function addTopics(program: Command): void {
  for (const [name, text] of Object.entries(TOPICS)) {
    const command = program.commands.find((one) => one.name() === name);
    if (command === undefined) program.addCommand(topicCommand(name, text), { hidden: true });
    else command.addHelpText('after', `\n${text}`);
  }
}

function topicCommand(name: string, text: string): Command {
  const topic = new Command(name).configureHelp({ formatHelp: () => `${text}\n` });
  return topic.action(() => topic.outputHelp());
}
