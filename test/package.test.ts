import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
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

  test('holds what it needs and no more', () => {
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
