/** The languages with syntax highlighting, and the extensions and names of their files. */
const LANGUAGES = [
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
] as const

/** A language with syntax highlighting. */
export type Language = (typeof LANGUAGES)[number][0]

/** The language of a file by its extension or name. */
export function findLanguage(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const extension = name.slice(name.lastIndexOf('.') + 1)
  return LANGUAGES.find(([, names]) => names.split(' ').includes(extension))?.[0]
}
