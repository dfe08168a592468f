/** A file with search matches. */
export interface FileMatches {
  path: string
  /** Undefined when only the file is reported. */
  count: number | undefined
  /** The matching lines, with their numbers if reported. */
  lines: string[]
}

const MOST_LINES = 20_000

/** The files in the output of a search; undefined when it is not a list of files. */
export function readMatches(output: string): FileMatches[] | undefined {
  const lines = output.split('\n', MOST_LINES).filter((line) => line.trim() !== '' && line !== '--')
  // Some tools print the number of matches first.
  if (/^Found \d+ /.test(lines[0] ?? '')) lines.shift()
  if (lines.length === 0) return undefined
  return readLines(lines) ?? readCounts(lines) ?? readPaths(lines)
}

function readLines(lines: string[]): FileMatches[] | undefined {
  const files = new Map<string, FileMatches>()
  for (const line of lines) {
    const [, path, rest] = /^((?:[A-Za-z]:)?[^:\n]{1,1000}):(\d{1,9}:.*)$/.exec(line) ?? []
    if (path === undefined || rest === undefined) return undefined
    const file = files.get(path)
    if (file === undefined) files.set(path, {path, count: 1, lines: [rest]})
    else {
      file.count = file.lines.push(rest)
    }
  }
  return Array.from(files.values())
}

function readCounts(lines: string[]): FileMatches[] | undefined {
  const files = lines.map((line) => {
    const [, path, count] = /^(.{1,1000}):(\d{1,9})$/.exec(line) ?? []
    return path === undefined ? undefined : {path, count: Number(count), lines: []}
  })
  const known = files.filter((file) => file !== undefined)
  return known.length === files.length ? known : undefined
}

function readPaths(lines: string[]): FileMatches[] | undefined {
  const isList = lines.every(
    (line) => line.length < 1000 && /^[^\s:<>"|]+(?: [^\s:<>"|]+)*$/.test(line),
  )
  const hasPath = lines.some((line) => /[/\\.]/.test(line))
  return isList && hasPath ? lines.map((path) => ({path, count: undefined, lines: []})) : undefined
}
