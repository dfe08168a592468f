// Bundles the CLI and the worker threads of the hub into few files, which Node loads faster than hundreds of modules.
// The library entry points stay separate modules, as tsc wrote them.

import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join, relative, sep} from 'node:path'
import {fileURLToPath} from 'node:url'
import {rolldown} from 'rolldown'

/** @import {OutputOptions, Plugin} from 'rolldown' */

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const workers = Object.fromEntries(
  ['hub/reader/reader-worker', 'hooks/worker', 'history/scan-worker'].map((name) => [
    name,
    `src/${name}.ts`,
  ]),
)

/** Replaces `dist/cli` and the modules of the worker threads by bundles. */
export async function bundlePrograms() {
  // The CLI is not a library: only its bundle is part of the package.
  rmSync(join(dist, 'cli'), {recursive: true})
  /** @type {OutputOptions} */
  const cli = {
    dir: join(dist, 'cli'),
    format: 'cjs',
    chunkFileNames: '[name].js',
    // loadOnUse calls the default export by its name.
    exports: 'named',
  }
  const modules = [
    // As CommonJS it starts in two thirds of the time: Node links ES modules asynchronously, one by one.
    ...(await bundle({bin: 'src/cli/bin.ts'}, cli, [loadOnUse('string-width')])),
    ...(await bundle({'string-width': 'string-width'}, cli)),
    ...(await bundle(workers, {dir: dist, format: 'esm', chunkFileNames: 'hub/bundle-[name].js'})),
  ]
  writeFileSync(join(dist, 'cli', 'package.json'), '{"type": "commonjs"}\n')
  writeLicenses(modules)
}

/**
 * @param {Record<string, string>} input
 * @param {OutputOptions} output
 * @param {Plugin[]} [plugins]
 * @returns {Promise<string[]>} The modules in the bundle.
 */
async function bundle(input, output, plugins = []) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    // The main file of jsonc-parser hides its calls of `require` from bundlers.
    resolve: {mainFields: ['module', 'main']},
    // Native code, loaded only if Node has no SQLite.
    external: ['libsql'],
    plugins: [keepModuleUrls(output.dir ?? dist), ...plugins],
    checks: {ineffectiveDynamicImport: false},
  })
  const {output: chunks} = await build.write(output)
  await build.close()
  return chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
}

/**
 * Replaces `import.meta.url` by the address of the module that tsc wrote, because files are found relative to it and a
 * bundle may be in another folder.
 *
 * @param {string} dir The folder of the bundle.
 * @returns {Plugin}
 */
function keepModuleUrls(dir) {
  const source = join(root, 'src') + sep
  return {
    name: 'keep-module-urls',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null
      const path = relative(source, id).replaceAll(sep, '/').replace(/\.ts$/, '.js')
      return code.replaceAll('import.meta.url', `__moduleUrl(${JSON.stringify(path)})`)
    },
    renderChunk(code, {fileName}, {format}) {
      if (!code.includes('__moduleUrl(')) return null
      return code.replaceAll(/__moduleUrl\("([^"]+)"\)/g, (_, /** @type {string} */ path) => {
        const target = relative(dirname(join(dir, fileName)), join(dist, path)).replaceAll(sep, '/')
        const base =
          format === 'cjs' ? 'require("node:url").pathToFileURL(__filename)' : 'import.meta.url'
        return `new URL(${JSON.stringify(target)}, ${base}).href`
      })
    },
  }
}

/**
 * Makes the CLI load a package on its first call: its default export is a function, its bundle is a separate file.
 *
 * @param {string} name
 * @returns {Plugin}
 */
function loadOnUse(name) {
  const id = `load-on-use:${name}`
  return {
    name: 'load-on-use',
    resolveId(source, importer) {
      if (source === name && importer !== undefined) return id
      return importer === id ? {id: source, external: true} : null
    },
    load: (loaded) =>
      loaded === id
        ? `module.exports = (...args) => require('./${name}.js').default(...args)`
        : null,
  }
}

/**
 * Writes the licenses of the bundled packages.
 *
 * @param {string[]} modules
 */
function writeLicenses(modules) {
  const folders = new Set(
    modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []),
  )
  const texts = [...folders].toSorted().map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
    if (file === undefined) throw new Error(`${folder} has no license file`)
    const {name, version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return `# ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  writeFileSync(join(dist, 'cli', 'LICENSES.md'), texts.join('\n'))
}
