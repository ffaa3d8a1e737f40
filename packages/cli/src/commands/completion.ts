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
      // zsh runs bash's completions, once it is told to.
      context.out(shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`);
    });
}

/** Words by the commands already typed: sub-commands and options. Elsewhere the shell completes file names. */
function bashScript(program: Command): string {
  const cases = walk(program, '').map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  return `_svc() {
  local path="" word words="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) case " ${names(program).join(' ')} " in *" $path$word "*) path="$path$word/" ;; esac ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
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
