import {Argument, Command} from 'commander'
import {formatBashCompletion} from '../completion/bash.ts'
import {describeProgram} from '../completion/describe-program.ts'
import {formatFishCompletion} from '../completion/fish.ts'
import {formatZshCompletion} from '../completion/zsh.ts'
import {print} from '../output.ts'

const FORMATTERS = {
  bash: formatBashCompletion,
  zsh: formatZshCompletion,
  fish: formatFishCompletion,
} as const

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `vitrine completion`: prints a completion script for a shell. */
export const completion: Command = new Command('completion')
  .summary('print a completion script for a shell')
  .description('Print a script that completes commands, options, run ids and agent names.')
  .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
  .addHelpText(
    'after',
    `
Examples:
  bash, in ~/.bashrc:
    eval "$(vitrine completion bash)"
  zsh, in ~/.zshrc after compinit:
    eval "$(vitrine completion zsh)"
  fish, once:
    vitrine completion fish > ~/.config/fish/completions/vitrine.fish`,
  )
  .action(async (shell: (typeof SHELLS)[number], _flags: object, {parent}: Command) => {
    if (parent === null) return
    await print(FORMATTERS[shell](describeProgram(parent)))
  })
