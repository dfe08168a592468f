import {spawnSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {completeLock} from '../../scripts/lock/complete.js'

const root = new URL('../../', import.meta.url)
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as Parameters<
  typeof completeLock
>[0]

function lockWith(dependencies: Record<string, string>) {
  const tool = {version: '1.2.3', dev: true, optionalDependencies: dependencies}
  return {lockfileVersion: 3, packages: {'': {}, 'node_modules/tool': tool}}
}

describe('completeLock', () => {
  test('adds nothing to the lock file of this repository', () => {
    expect(completeLock(lock)).toEqual({completed: lock, added: []})
  })

  test.each([
    ['@tool/binding-darwin-arm64', {cpu: ['arm64'], os: ['darwin']}],
    ['@tool/binding-win32-x64-msvc', {cpu: ['x64'], os: ['win32']}],
    ['@tool/binding-linux-x64-gnu', {cpu: ['x64'], os: ['linux'], libc: ['glibc']}],
    ['@tool/binding-linux-arm-musleabihf', {cpu: ['arm'], os: ['linux'], libc: ['musl']}],
    ['@tool/binding-android-arm-eabi', {cpu: ['arm'], os: ['android']}],
    ['@tool/binding-wasm32-wasi', {cpu: ['wasm32']}],
  ])('adds an entry for %s with the platform of its name', (name, platform) => {
    const {completed, added} = completeLock(lockWith({[name]: '1.2.3'}))
    expect(added).toEqual([name])
    expect(completed.packages[`node_modules/${name}`]).toEqual({
      version: '1.2.3',
      dev: true,
      optional: true,
      ...platform,
    })
  })

  test('finds a package that is installed below the one that needs it', () => {
    const nested = lockWith({'@tool/binding-darwin-arm64': '1.2.3'})
    const below = {'node_modules/tool/node_modules/@tool/binding-darwin-arm64': {version: '1.2.3'}}
    expect(completeLock({...nested, packages: {...nested.packages, ...below}}).added).toEqual([])
  })

  test('rejects a package whose name has no platform', () => {
    expect(() => completeLock(lockWith({'@tool/other': '1.2.3'}))).toThrow(
      'package-lock.json lacks @tool/other, and its platform is not known from its name',
    )
  })

  test('rejects a range of versions', () => {
    expect(() => completeLock(lockWith({'@tool/binding-darwin-x64': '^1.2.3'}))).toThrow(
      'package-lock.json lacks @tool/binding-darwin-x64, and ^1.2.3 names no single version.',
    )
  })
})

test('node scripts/complete-lock.js --check accepts the lock file of this repository', () => {
  const script = fileURLToPath(new URL('scripts/complete-lock.js', root))
  const {status, stderr} = spawnSync(process.execPath, [script, '--check'], {encoding: 'utf8'})
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
})
