import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'vitrine-node')
const folder = mkdtempSync(join(tmpdir(), 'vitrine-package-'))

const program = `
import {extractResult} from 'vitrine'
import {decodeClaudeStream, ClaudeStreamJsonParser} from 'vitrine/claude'
const line = '{"type":"result","subtype":"success","session_id":"s","result":"done"}\\n'
for await (const {raw, event} of decodeClaudeStream(new Blob([line]).stream())) {
  const outcome = new ClaudeStreamJsonParser().parseLine(raw.trimEnd())
  console.log(event.type, extractResult(raw), outcome.ok && outcome.event.kind, raw === line)
}
`

beforeAll(() => {
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], root)
  const [tarball = ''] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  npm(
    ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`],
    folder,
  )
  writeFileSync(join(folder, 'program.js'), program)
})

afterAll(() => {
  rmSync(folder, {recursive: true})
})

describe('the package', () => {
  test.each(['20', '22', '24'])('installs and imports under Node %s', (major) => {
    const node = findNode(major)
    expect(run(node, ['--version'])).toMatch(new RegExp(`^v${major}\\.`))
    expect(run(node, ['program.js'])).toBe('result done result_success true\n')
    const bin = join('node_modules', 'vitrine', 'dist', 'cli', 'bin.js')
    expect(run(node, [bin, 'view', '--help'])).toMatch(/^Usage: vitrine view/)
  })

  test.each(['20', '22', '24'])('serves under Node %s', async (major) => {
    const data = join(folder, `data-${major}`)
    const bin = join('node_modules', 'vitrine', 'dist', 'cli', 'bin.js')
    const args = [bin, 'serve', '--port', '0', '--json', '--data-dir', data]
    const hub = spawn(findNode(major), args, {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']})
    const errors: string[] = []
    hub.stderr.on('data', (text) => errors.push(String(text)))
    const [line] = (await once(hub.stdout, 'data')) as [Buffer]
    const {url} = JSON.parse(String(line)) as {url: string}
    const authorization = `Bearer ${readFileSync(join(data, 'token'), 'utf8').trim()}`
    const response = await fetch(`${url}/api/runs`, {headers: {authorization}})
    expect(await response.json()).toEqual({runs: [], total: 0, next: null, indexing: 0})
    hub.kill('SIGTERM')
    expect(await once(hub, 'exit')).toEqual([0, null])
    expect(errors.join('')).toBe('')
  })

  test('is smaller than 40 MB with its dependencies and has no install scripts', () => {
    const modules = join(folder, 'node_modules')
    const files = readdirSync(modules, {recursive: true, encoding: 'utf8'})
    const size = files.reduce((sum, file) => sum + statSync(join(modules, file)).size, 0)
    expect(size).toBeLessThan(40 * 1024 * 1024)
    const manifests = files.filter((file) => /(?:^|[\\/])package\.json$/.test(file))
    const installing = manifests.filter((file) => {
      const text = readFileSync(join(modules, file), 'utf8')
      const {scripts = {}} = JSON.parse(text) as {scripts?: Record<string, string>}
      return 'install' in scripts || 'postinstall' in scripts || 'preinstall' in scripts
    })
    expect(installing).toEqual([])
  })

  test('contains the license and no tests, fixtures or sources', () => {
    const files = readdirSync(join(folder, 'node_modules', 'vitrine'), {
      recursive: true,
      encoding: 'utf8',
    })
    expect(files).toContain('LICENSE')
    expect(
      files.filter((file) => /\.test\.|fixtures|tsbuildinfo|(?<!\.d)\.ts$/.test(file)),
    ).toEqual([])
  })
})

function run(node: string, args: string[]): string {
  return execFileSync(node, args, {cwd: folder, encoding: 'utf8'})
}

/** A Node of that version: the one that runs this, or the binary from the npm registry. */
function findNode(major: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const isWindows = process.platform === 'win32'
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`
  const home = join(cache, major)
  const executable = join(home, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  if (!existsSync(executable)) {
    mkdirSync(home, {recursive: true})
    npm(['install', '--silent', '--no-save', '--prefix', home, `${name}@${major}`], home)
  }
  return executable
}

function npm(args: string[], cwd: string): void {
  execFileSync('npm', args, {cwd, stdio: 'pipe', shell: process.platform === 'win32'})
}
