/** A language with syntax highlighting. */
export type Language =
  | 'bash'
  | 'c'
  | 'cpp'
  | 'css'
  | 'go'
  | 'java'
  | 'javascript'
  | 'json'
  | 'markdown'
  | 'python'
  | 'rust'
  | 'sql'
  | 'typescript'
  | 'xml'
  | 'yaml'

/** The language of a file by its extension, or of a word such as `ts`. */
export function findLanguage(pathOrName: string): Language | undefined {
  const name = pathOrName.slice(pathOrName.lastIndexOf('/') + 1).toLowerCase()
  return NAMES.get(name.slice(name.lastIndexOf('.') + 1))
}

const NAMES = new Map<string, Language>(
  listNames([
    ['bash', 'bash sh zsh shell bashrc zshrc profile dockerfile makefile env'],
    ['c', 'c h'],
    ['cpp', 'cpp cc cxx hpp hh hxx'],
    ['css', 'css scss less'],
    ['go', 'go'],
    ['java', 'java kt'],
    ['javascript', 'javascript js jsx mjs cjs'],
    ['json', 'json jsonc json5 jsonl ndjson webmanifest'],
    ['markdown', 'markdown md mdx'],
    ['python', 'python py pyi'],
    ['rust', 'rust rs'],
    ['sql', 'sql'],
    ['typescript', 'typescript ts tsx mts cts'],
    ['xml', 'xml html htm svg vue svelte xhtml plist'],
    ['yaml', 'yaml yml'],
  ]),
)

function listNames(table: [Language, string][]): [string, Language][] {
  return table.flatMap(([language, names]) =>
    names.split(' ').map((name): [string, Language] => [name, language]),
  )
}
