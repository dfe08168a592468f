import {execFileSync} from 'node:child_process'
import {codex} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {run, patch} = codex

/** Codex upgrades a dependency and repairs half of the failures; then the model server fails. @type {Scenario} */
export const schemaBump = {
  name: 'schema-bump',
  agent: 'codex',
  project: 'gateway',
  prompt: 'Bump @acme/schema to 3.0 and repair the schemas',
  prepare: (cwd) => {
    install(cwd)
  },
  script: () => ({
    main: [
      {
        text: 'I’ll look at who uses the package and what 3.0 changes.',
        tools: [
          run("grep -rn '@acme/schema' src package.json"),
          run('cat vendor/schema-3/CHANGELOG.md'),
        ],
      },
      {
        tools: [
          run(
            "sed -i 's|file:vendor/schema-2|file:vendor/schema-3|' package.json && npm install --offline --no-audit --no-fund && npm test --silent",
          ),
        ],
      },
      {
        thinking:
          '**Repairing the payout schema**\n\n`validate` is gone, fields are values now. Two files, the same change in each. Payouts first.',
        tools: [run('cat src/schemas/payout.js')],
      },
      {
        tools: [
          patch(`*** Begin Patch
*** Update File: src/schemas/payout.js
@@
-import {object} from '@acme/schema'
+import {number, object, string} from '@acme/schema'
 
-export const payoutSchema = object({account: 'string', amount: 'number', currency: 'string'})
+export const payoutSchema = object({account: string, amount: number, currency: string})
 
 export function checkPayout(body) {
-  const {ok, errors} = payoutSchema.validate(body)
-  return ok ? undefined : errors.join(', ')
+  const {success, issues = []} = payoutSchema.parse(body)
+  return success ? undefined : issues.map(({path, message}) => \`\${path}: \${message}\`).join(', ')
 }
*** End Patch
`),
        ],
      },
      {text: 'Payouts are done. Do their tests pass?', tools: [run('npm test --silent')]},
      {
        error: {
          status: 503,
          message: 'We’re currently experiencing high demand, which may cause temporary errors.',
          forever: true,
        },
      },
    ],
  }),
}

/** @param {string} cwd */
function install(cwd) {
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', args, {cwd, env: {PATH: process.env['PATH'] ?? '', HOME: `${cwd}/..`}})
}
