import { Command } from 'commander';
import { choice, command } from '../command.ts';
import { complete } from '../complete.ts';
import { type Context, printable } from '../context.ts';

/** Prints one word with its description a line for the completion scripts, then a line if files are accepted. */
export function completeCommand(context: Context, program: () => Command): Command {
  return new Command('complete').argument('[words...]').action((typed: string[]) => {
    const { words, files } = complete(program(), typed, context.env);
    for (const { word, about } of words)
      context.out(`${printable(word)}${about === undefined ? '' : `\t${printable(about)}`}\n`);
    if (files) context.out(`${FILES_TOO}\n`);
  });
}

const FILES_TOO = ':files';

type Shell = 'bash' | 'zsh' | 'fish';

/** Calls the typed program, so that an old script completes a new program. Runs none of the words. */
const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: String.raw`_svc() {
  local line program="${'$'}{COMP_WORDS[0]/#\~\//$HOME/}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = "${FILES_TOO}" ]; then compopt -o default; else COMPREPLY+=("${'$'}{line%%${'$'}'\t'*}"); fi
  done < <("$program" complete -- "${'$'}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _svc svc
`,
  zsh: String.raw`if ! whence compdef >/dev/null; then autoload -Uz compinit && compinit; fi
_svc() {
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
compdef _svc svc
`,
  fish: String.raw`function __svc_complete
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
complete -c svc -f -a '(__svc_complete)'
`,
};

export const completionCommand = command('completion', 'print a completion script for bash, zsh or fish', {
  input: { '<shell>': choice(Object.keys(COMPLETION_SCRIPTS) as Shell[], 'the shell') },
  examples: ['source <(svc completion bash)', 'source <(svc completion zsh)', 'svc completion fish | source'],
  run: ({ shell }, context) => context.out(COMPLETION_SCRIPTS[shell]),
});
