import {readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import packageJson from '../../package.json' with {type: 'json'}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The source file of each module of the package, by its name such as `vitrine/agents`. */
const modules = new Map(
  Object.entries(packageJson.exports)
    .filter(([, path]) => path.endsWith('.js'))
    .map(([entry, path]) => [
      entry.replace(/^\./, 'vitrine'),
      path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'),
    ]),
)

/** Whether a module exports a name such as `run`, or a type with a field such as `Recording.stdout`. */
export function hasExport(module: string, name: string): boolean {
  const source = modules.get(module)
  return source !== undefined && isDeclared(source, name)
}

/** Whether a source file declares or re-exports a name, with its field. */
export function isDeclared(path: string, name: string): boolean {
  const [type = '', field] = name.split('.')
  const body = path.endsWith('.ts') ? findDeclaration(path, type) : undefined
  if (body === undefined) return false
  return field === undefined || new RegExp(`\\b${field}\\b`).test(body)
}

/** Whether any module exports a name, with its field. */
export function isExported(name: string): boolean {
  return [...modules.keys()].some((module) => hasExport(module, name))
}

/** Follows re-exports to the declaration of a name. */
function findDeclaration(path: string, name: string): string | undefined {
  const source = readFileSync(join(root, path), 'utf8')
  for (const [, list = '', from = ''] of source.matchAll(
    /^export (?:type )?\{([^}]*)\} from '(.+)'$/gm,
  )) {
    const names = list.split(',').map((word) => word.replace(/\btype\b/, '').trim())
    if (names.includes(name)) return findDeclaration(join(dirname(path), from), name)
  }
  for (const [, from = ''] of source.matchAll(/^export (?:type )?\* from '(.+)'$/gm)) {
    const found = findDeclaration(join(dirname(path), from), name)
    if (found !== undefined) return found
  }
  const declared = new RegExp(
    `^export (?:async )?(?:interface|type|class|const|function\\*?) ${name}\\b`,
    'm',
  )
  const start = source.search(declared)
  if (start === -1) return undefined
  const body = source.slice(start)
  return body.slice(0, body.slice(1).search(/\n(?:\/\*\*|export )/) + 1 || undefined)
}
