// Adds the platform packages that package-lock.json lacks. `npm install` leaves out an optional dependency that the
// registry in use does not have, and `npm ci` then rejects the lock file on every machine. The name of such a package
// contains its platform, so its entry needs no registry.
//
//   node scripts/complete-lock.js           writes the missing entries
//   node scripts/complete-lock.js --check   fails if entries are missing

import {readFileSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {completeLock} from './lock/complete.js'

/** @import {Lock} from './lock/complete.js' */

const {values} = parseArgs({options: {check: {type: 'boolean', default: false}}})
const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
/** @type {Lock} */
const lock = JSON.parse(readFileSync(path, 'utf8'))
const {completed, added} = completeLock(lock)

if (added.length > 0 && values.check) {
  process.stderr.write(
    `package-lock.json lacks ${added.length} platform packages, so npm ci fails: ${added.join(', ')}\n` +
      'Run npm run format to add them.\n',
  )
  process.exitCode = 1
} else if (added.length > 0) {
  writeFileSync(path, `${JSON.stringify(completed, null, 2)}\n`)
  process.stderr.write(`Added ${added.length} platform packages to package-lock.json\n`)
}
