import {Option} from 'commander'

/** `--data-dir`: where recordings are read and written. */
export function createDataDirOption(): Option {
  return new Option(
    '--data-dir <dir>',
    'data directory (default: $XDG_DATA_HOME/vitrine, or ~/.local/share/vitrine)',
  )
}

/** `--agent` of commands that read the output of an agent. */
export function createAgentOption(): Option {
  return new Option('-a, --agent <name>', 'parse the input as this agent (default: detected)')
}

/** `--format` of commands that show a live run. */
export function createFormatOption(): Option {
  return new Option(
    '-f, --format <format>',
    "pretty: readable lines; json: one event per line; raw: the agent's own output; quiet: only the result",
  )
    .choices(['pretty', 'json', 'raw', 'quiet'])
    .default('pretty')
}

/** `--verbose`, which can be repeated. */
export function createVerboseOption(): Option {
  return new Option(
    '-v, --verbose',
    'show thinking, full texts and 20 lines of tool output; -vv shows all lines',
  )
    .argParser((_: string, count: number) => count + 1)
    .default(0)
}

/** `--no-text`. */
export function createNoTextOption(): Option {
  return new Option('--no-text', "hide the agent's text")
}
