import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A Markdown page of the repository. */
export interface Page {
  /** Relative to the root, such as `docs/run.md`. */
  path: string
  text: string
}

const ROOT_PAGES = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

/** Reads a page by its path. */
export function readPage(path: string): Page {
  return {path, text: readFileSync(join(root, path), 'utf8')}
}

/** The pages for users and contributors, without those beside the code. */
export function listPages(): Page[] {
  const docs = readdirSync(join(root, 'docs'), {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  return [...ROOT_PAGES, ...docs.toSorted()].map(readPage)
}

/** The code blocks of a page in one language. */
export function listBlocks({text}: Page, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, code = '']) => code)
}
