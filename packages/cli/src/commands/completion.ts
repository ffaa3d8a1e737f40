// Completion and the manual page, which both programs make from their tables of commands.
import { Command } from 'commander';
import { choice, command, type Spec } from '../command.ts';
import { complete } from '../complete.ts';
import { type Context, printable } from '../context.ts';
import { type ManPage, manPage } from '../man-page.ts';

/**
 * `complete` prints one word with its description a line for the completion scripts, then a line if files are accepted.
 * `man` prints the manual page.
 */
export function addHiddenCommands(
  program: Command,
  { out, env }: Pick<Context, 'out' | 'env'>,
  page: ManPage,
): void {
  const completing = new Command('complete').argument('[words...]').action((typed: string[]) => {
    const { words, files } = complete(program, typed, env);
    for (const { word, about } of words)
      out(`${printable(word)}${about === undefined ? '' : `\t${printable(about)}`}\n`);
    if (files) out(`${FILES_TOO}\n`);
  });
  program.addCommand(completing, { hidden: true });
  program.addCommand(
    new Command('man').action(() => out(manPage(program, page))),
    { hidden: true },
  );
}

const FILES_TOO = ':files';

type Shell = 'bash' | 'zsh' | 'fish';

/** Calls the typed program, so that an old script completes a new program. Runs none of the words. */
const COMPLETION_SCRIPTS: Readonly<Record<Shell, (program: string, name: string) => string>> = {
  bash: (program, name) => String.raw`_${name}() {
  local line program="${'$'}{COMP_WORDS[0]/#\~\//$HOME/}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = "${FILES_TOO}" ]; then compopt -o default; else COMPREPLY+=("${'$'}{line%%${'$'}'\t'*}"); fi
  done < <("$program" complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _${name} ${program}
`,
  zsh: (
    program,
    name,
  ) => String.raw`if ! whence compdef >/dev/null; then autoload -Uz compinit && compinit; fi
_${name}() {
  local line program="${'$'}{(Q)words[1]}" files=
  local -a found shown typed
  typed=("${'$'}{(@Q)words[2,CURRENT-1]}")
  while IFS= read -r line; do
    if [[ "$line" == "${FILES_TOO}" ]]; then files=yes; continue; fi
    found+=("${'$'}{line%%${'$'}'\t'*}")
    shown+=("${'$'}{line/${'$'}'\t'/  }")
  done < <("${'$'}{program/#\~\//$HOME/}" complete -- "${'$'}{typed[@]}" "${'$'}{(Q)PREFIX}" 2>/dev/null)
  (( ${'$'}#found )) && compadd -l -d shown -a found
  [[ -n "$files" ]] && _files
  return 0
}
compdef _${name} ${program}
`,
  fish: (program, name) => String.raw`function __${name}_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $before[1])
    for line in ($program complete -- $before[2..-1] "$current" 2>/dev/null)
        if test "$line" = "${FILES_TOO}"
            __fish_complete_path "$current"
        else
            printf '%s\n' $line
        end
    end
end
complete -c ${program} -f -a '(__${name}_complete)'
`,
};

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as Shell[];

/** The argument of the command `completion` of both programs. */
export const SHELL: Spec<Shell, false> = choice(SHELLS, 'the shell');

/** Functions of two programs have different names. */
export const completionScript = (program: string, shell: Shell): string =>
  COMPLETION_SCRIPTS[shell](program, program.replaceAll('-', '_'));

/** The examples of the command `completion`. */
export const completionExamples = (program: string): string[] => [
  `source <(${program} completion bash)`,
  `source <(${program} completion zsh)`,
  `${program} completion fish | source`,
];

export const completionCommand = command('completion', 'print a completion script for bash, zsh or fish', {
  input: { '<shell>': SHELL },
  examples: completionExamples('svc'),
  run: ({ shell }, context) => context.out(completionScript('svc', shell)),
});
