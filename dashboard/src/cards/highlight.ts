import {createLazy, type Lazy} from '../ui/lazy.ts'
import {toCodeLines, type CodeLine} from './code-lines.ts'
import type {Language} from './language.ts'
import type {LanguageFn} from 'highlight.js'

/** Highlights code line by line. */
export type Highlighter = (text: string) => CodeLine[]

/** The highlighter of a language, loaded on first use. */
export const HIGHLIGHTERS: Readonly<Record<Language, Lazy<Highlighter>>> = {
  bash: create('bash', () => import('highlight.js/lib/languages/bash')),
  c: create('c', () => import('highlight.js/lib/languages/c')),
  cpp: create('cpp', () => import('highlight.js/lib/languages/cpp')),
  css: create('css', () => import('highlight.js/lib/languages/css')),
  go: create('go', () => import('highlight.js/lib/languages/go')),
  java: create('java', () => import('highlight.js/lib/languages/java')),
  javascript: create('javascript', () => import('highlight.js/lib/languages/javascript')),
  json: create('json', () => import('highlight.js/lib/languages/json')),
  markdown: create('markdown', () => import('highlight.js/lib/languages/markdown')),
  python: create('python', () => import('highlight.js/lib/languages/python')),
  rust: create('rust', () => import('highlight.js/lib/languages/rust')),
  sql: create('sql', () => import('highlight.js/lib/languages/sql')),
  typescript: create('typescript', () => import('highlight.js/lib/languages/typescript')),
  xml: create('xml', () => import('highlight.js/lib/languages/xml')),
  yaml: create('yaml', () => import('highlight.js/lib/languages/yaml')),
}

function create(language: Language, load: () => Promise<{default: LanguageFn}>): Lazy<Highlighter> {
  return createLazy(async () => {
    const [{default: core}, {default: define}] = await Promise.all([
      import('highlight.js/lib/core'),
      load(),
    ])
    core.registerLanguage(language, define)
    return (text) => {
      // Only the token tree is used; the generated HTML is discarded.
      const {_emitter: tree} = core.highlight(text, {language, ignoreIllegals: true})
      return toCodeLines(tree)
    }
  })
}
