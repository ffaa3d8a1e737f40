import { Argument, Command } from 'commander';
import { complete } from '../complete.ts';
import type { Context } from '../context.ts';
import { COMPLETION_SCRIPTS, FILES_TOO } from '../completion-scripts.ts';
import type { Shell } from '../completion-scripts.ts';
import { inert } from '../inert.ts';

/** `svc completion bash|zsh|fish` */
export function completionCommand(context: Context): Command {
  return new Command('completion')
    .description('print a completion script for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'which').choices(Object.keys(COMPLETION_SCRIPTS)))
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

/**
 * `svc complete -- <words…>`, which the scripts ask: a line for each word that may stand in the place of the last one, a tab
 * and what it is, and after them a line of its own where files may stand there too.
 */
export function completeCommand(context: Context, program: () => Command): Command {
  return new Command('complete').argument('[words...]').action((typed: string[]) => {
    const { words, files } = complete(program(), typed, context.env);
    for (const { word, about } of words)
      context.out(`${inert(word)}${about === undefined ? '' : `\t${inert(about)}`}\n`);
    if (files) context.out(`${FILES_TOO}\n`);
  });
}
