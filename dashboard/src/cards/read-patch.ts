import type {FileEdit} from './file-edit.ts'

const MOST_LENGTH = 2_000_000

/** The changes of a Codex patch, `*** Update File: …`; empty for other texts. */
export function readPatch(patch: string): FileEdit[] {
  const [, ...files] = patch
    .slice(0, MOST_LENGTH)
    .split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m)
  return files.flatMap((text): FileEdit[] => {
    const [head = '', ...lines] = text.split('\n')
    const [verb = ''] = head.split(' ', 1)
    const path = head.slice(`${verb} File: `.length).trim()
    if (verb === 'Delete') return [{kind: 'delete', path}]
    if (verb === 'Add') return [{kind: 'write', path, after: joinLines(lines, '+')}]
    const target = /^\*\*\* Move to: (.*)$/.exec(lines[0] ?? '')?.[1]?.trim()
    return readHunks(target ?? path, target === undefined ? lines : lines.slice(1))
  })
}

/** The changes of a diff that starts with its first hunk. */
export function readUnifiedDiff(path: string, diff: string): FileEdit[] {
  return readHunks(path, diff.slice(0, MOST_LENGTH).split('\n'))
}

function readHunks(path: string, lines: string[]): FileEdit[] {
  const hunks: {start: number | undefined; lines: string[]}[] = []
  for (const line of lines) {
    const place = /^@@ -(\d+)/.exec(line)?.[1]
    if (line.startsWith('@@')) hunks.push({start: readPlace(place), lines: []})
    else if (/^[ +-]/.test(line) || line === '') {
      if (hunks.length === 0) hunks.push({start: undefined, lines: []})
      hunks.at(-1)?.lines.push(line === '' ? ' ' : line)
    }
  }
  return hunks.flatMap(({start, lines: list}): FileEdit[] => {
    // The newline at the end of a patch is not a line of the file.
    while (list.at(-1) === ' ') list.pop()
    if (list.length === 0) return []
    return [
      {kind: 'replace', path, before: joinLines(list, '-'), after: joinLines(list, '+'), start},
    ]
  })
}

/** For an insertion, the header names the line before it. */
function readPlace(place: string | undefined): number | undefined {
  return place === undefined ? undefined : Math.max(1, Number(place))
}

function joinLines(lines: string[], sign: '+' | '-'): string {
  const kept = lines.filter((line) => line.startsWith(sign) || line.startsWith(' '))
  return kept.map((line) => `${line.slice(1)}\n`).join('')
}
