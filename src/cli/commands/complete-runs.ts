import {homedir} from 'node:os'
import {Command} from 'commander'
import {firstLine, escapeControls} from '../../core/text/text.ts'
import {listRuns} from '../../recording/list-runs.ts'
import {print} from '../output.ts'

const MAX_RUNS = 100

/** `vitrine complete-runs`: prints ids and prompts of runs, newest first, for completion scripts. */
export const completeRuns: Command = new Command('complete-runs')
  .argument('[words...]', 'words of the command line that is completed')
  .allowUnknownOption()
  .action(async (words: string[]) => {
    const runs = listRuns(findDataDir(words)).slice(0, MAX_RUNS)
    const lines = runs.map(({record: {runId, prompt, argv}}) => {
      const title = escapeControls(firstLine(prompt ?? argv.join(' ')))
      return `${runId}\t${title.replaceAll('\t', ' ')}\n`
    })
    await print(lines.join(''))
  })

/** The shell passes the words as they were typed, so `~` is not expanded. */
function findDataDir(words: readonly string[]): string | undefined {
  const index = words.findLastIndex((word) => /^--data-dir(?:=|$)/.test(word))
  if (index === -1) return undefined
  const [, inline] = /^--data-dir=(.+)$/.exec(words[index] ?? '') ?? []
  // Bash splits `--data-dir=path` at `=`.
  const [next = '', afterNext] = words.slice(index + 1)
  const dataDir = inline ?? (next === '=' ? afterNext : next)
  return dataDir?.replace(/^~(?=\/|$)/, homedir()) || undefined
}
