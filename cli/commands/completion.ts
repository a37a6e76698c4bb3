// `swarmd completion`: a script that completes commands and options in a shell, made from the commands themselves.
import { Argument, type Command } from 'commander';
import { command, runs, type Defining } from './define.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Completed {
  readonly path: readonly string[];
  readonly about: string;
  readonly words: readonly string[];
}

/** `root`: what all commands are in, once they are. */
export function completionCommand(defining: Defining, root: () => Command): Command {
  const made = command('completion', 'a script for the shell: source <(swarmd completion bash)').addArgument(
    new Argument('<shell>', 'which shell').choices(SHELLS),
  );
  return runs(made, defining, async (context, [shell]) => {
    context.terminal.out.write(SCRIPTS[shell as Shell](completed(root(), []))); // one of the choices above
  });
}

function completed(made: Command, path: readonly string[]): Completed[] {
  const options = made.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ short, long }) => [short, long].filter((word) => word !== undefined));
  const words = [...made.commands.map((inner) => inner.name()), ...options];
  return [
    { path, about: made.description(), words },
    ...made.commands.flatMap((inner) => completed(inner, [...path, inner.name()])),
  ];
}

const SCRIPTS: Readonly<Record<Shell, (all: readonly Completed[]) => string>> = {
  bash: (all) => `_swarmd() {
  local current=\${COMP_WORDS[COMP_CWORD]} path= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path+=" $word"; done
  case "$path" in
${all
  .filter(({ path }) => path.length > 0)
  .reverse()
  .map(
    ({ path, words }) => `    " ${path.join(' ')}"*) COMPREPLY=($(compgen -W "${words.join(' ')}" -f -- "$current"));;`,
  )
  .join('\n')}
    *) COMPREPLY=($(compgen -W "${all[0]!.words.join(' ')}" -- "$current"));;
  esac
}
complete -F _swarmd swarmd
`,
  zsh: (all) => `autoload -U +X bashcompinit && bashcompinit
${SCRIPTS.bash(all)}`,
  fish: (all) =>
    all
      .slice(1)
      .map(({ path, about, words }) => {
        const [name = '', inner] = path;
        const seen = inner === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${name}`;
        const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
        const own = `complete -c swarmd -n '${seen}' -f -a '${inner ?? name}' -d '${about.replaceAll("'", '')}'\n`;
        return (
          own +
          options.map((option) => `complete -c swarmd -n '__fish_seen_subcommand_from ${name}' -l ${option}\n`).join('')
        );
      })
      .join(''),
};
