// Builds dist from src and dashboard from scratch.

import {spawnSync} from 'node:child_process'
import {chmodSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {gzipSync} from 'node:zlib'
import {build} from 'vite'
import {bundlePrograms} from './bundle-programs.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
rmSync('dist', {recursive: true, force: true})
const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
  /package\.json$/,
  'bin/tsc',
)
const {status} = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], {stdio: 'inherit'})
if (status !== 0) process.exit(status ?? 1)
await bundlePrograms()
chmodSync('dist/cli/bin.js', 0o755)
await import('./make-demo.js')
await build({configFile: 'dashboard/vite.export.config.ts', logLevel: 'warn'})
// The last part of the package, because scripts/setup.js checks its page for a complete build.
await build({configFile: 'dashboard/vite.config.ts', logLevel: 'warn'})
// The hub sends compressed copies to browsers that accept them.
const assets = 'dist/dashboard/assets'
for (const name of readdirSync(assets)) {
  const path = join(assets, name)
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), {level: 9}))
}
