import type {TranscriptSource} from '../../core/events/transcript.ts'

/** The name of a session, from the file beside it. */
export function findTitle({path, readText}: TranscriptSource): string | undefined {
  if (!path.endsWith('/events.jsonl')) return undefined
  const text = readText(path.replace(/events\.jsonl$/, 'workspace.yaml')) ?? ''
  const lines = text.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith(NAME))
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => !line.startsWith(' '))
  const folded = [
    (lines[start] ?? '').slice(NAME.length),
    ...rest.slice(0, end === -1 ? undefined : end),
  ]
  return readScalar(folded.map((line) => line.trim())).trim() || undefined
}

const NAME = 'name:'

/** Reads a YAML text that may continue on more lines. */
function readScalar(lines: readonly string[]): string {
  const [first = '', ...rest] = lines
  if (/^[|>][+-]?$/.test(first)) return rest.join(first.startsWith('|') ? '\n' : ' ')
  const text = lines.join(' ').trim()
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'")
  if (!text.startsWith('"')) return text
  return text
    .slice(1, -1)
    .replaceAll(ESCAPE, (_, code: string | undefined, name = '') =>
      code === undefined
        ? (ESCAPES[name] ?? name)
        : String.fromCodePoint(Math.min(Number.parseInt(code.slice(1), 16), 0x10ffff)),
    )
}

const ESCAPE = /\\(?:(x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})|([^]))/g

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  L: '\u2028',
  P: '\u2029',
  N: '\u0085',
  _: '\u00a0',
}
