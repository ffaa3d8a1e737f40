import { Argument, Command } from 'commander';
import { complete } from '../complete.ts';
import type { Context } from '../context.ts';
import { COMPLETION_SCRIPTS, FILES_TOO, type Shell } from '../completion-scripts.ts';
import { inert } from '../inert.ts';

export function completionCommand(context: Context): Command {
  return new Command('completion')
    .description('print a completion script for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(COMPLETION_SCRIPTS)))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(svc completion bash)
  $ source <(svc completion zsh)
  $ svc completion fish | source
`,
    )
    .action((shell: Shell) => context.out(COMPLETION_SCRIPTS[shell]));
}

/** Prints one word with its description a line for the completion scripts, then a line if files are accepted. */
export function completeCommand(context: Context, program: () => Command): Command {
  return new Command('complete').argument('[words...]').action((typed: string[]) => {
    const { words, files } = complete(program(), typed, context.env);
    for (const { word, about } of words)
      context.out(`${inert(word)}${about === undefined ? '' : `\t${inert(about)}`}\n`);
    if (files) context.out(`${FILES_TOO}\n`);
  });
}
