// Builds dist from src and dashboard from scratch.

import {spawnSync} from 'node:child_process'
import {chmodSync, rmSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
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
// It comes last, because scripts/setup.js checks its page for a complete build.
await build({configFile: 'dashboard/vite.config.ts', logLevel: 'warn'})
