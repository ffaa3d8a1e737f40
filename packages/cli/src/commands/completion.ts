import { Command } from 'commander';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';

/** `svc completion bash|zsh` */
export function completionCommand(context: Context, program: () => Command): Command {
  return new Command('completion')
    .description('print a completion script for bash or zsh')
    .argument('<shell>', 'bash or zsh')
    .addHelpText(
      'after',
      '\nExamples:\n  $ source <(svc completion bash)\n  $ source <(svc completion zsh)\n',
    )
    .action((shell: string) => {
      if (shell !== 'bash' && shell !== 'zsh') throw new CommandError(EXIT.usage, 'the shell is bash or zsh');
      const bash = bashScript(program());
      // zsh runs bash's completions, once it is told to, and these need its own.
      context.out(shell === 'bash' ? bash : `${ZSH_START}${bash}`);
    });
}

const ZSH_START = `if ! whence compdef >/dev/null; then autoload -Uz compinit && compinit; fi
autoload -U +X bashcompinit && bashcompinit
`;

/**
 * Words by the commands already typed: sub-commands and options. Elsewhere the shell completes file names. zsh runs it
 * too: there `path` is the search path, `words` the line, and an offset that begins with a letter a modifier.
 */
function bashScript(program: Command): string {
  const cases = walk(program, '').map(([path, words]) => `    "${path}") offered="${words.join(' ')}" ;;`);
  return `_svc() {
  local typed="" word offered="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$word" in -*) ;; *) case " ${names(program).join(' ')} " in *" $typed$word "*) typed="$typed$word/" ;; esac ;; esac
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o default -F _svc svc
`;
}

/** Each command's path (\`keys/list/\`) with the words that may follow it. */
function walk(command: Command, path: string): [path: string, words: string[]][] {
  const options = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
  const words = [...command.commands.map((child) => child.name()), ...options, '--help'];
  return [[path, words], ...command.commands.flatMap((child) => walk(child, `${path}${child.name()}/`))];
}

/** Paths without their last slash, as they are typed. */
const names = (program: Command): string[] =>
  walk(program, '')
    .map(([path]) => path.slice(0, -1))
    .filter((path) => path !== '');
