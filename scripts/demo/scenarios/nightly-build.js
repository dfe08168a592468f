import {readFileSync, writeFileSync} from 'node:fs'
import {git} from '../record.js'
import {claude, UNATTENDED_ARGS} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, grep, bash} = claude

const OVERLOADED = {
  error: {status: 529, kind: 'overloaded_error', message: 'Overloaded', retryAfterS: 5},
}

const PINNED = 'node:22.20-alpine3.22'

const ANSWER = `The nightly build fails in \`npm ci\`, and no change of ours in ledger-api is to blame.

1. \`--pull\` fetched a new \`node:22-alpine\`. The image follows a floating tag, since the commit **“Follow the newest Alpine image”**.
2. The new image has musl 1.2.6. There is no prebuilt \`bcrypt@5.1.1\` for it, so npm compiles it.
3. Alpine images have no Python, and \`node-gyp\` stops:

\`\`\`
gyp ERR! stack Error: Could not find any Python installation to use
\`\`\`

**Shortest way out:** pin the image again, \`FROM ${PINNED}\`, in both stages. **For good:** \`apk add --no-cache python3 make g++\` in the build stage, or \`bcryptjs\`, which needs no compiler.

I have changed nothing.`

/** The model server is overloaded for a while; Claude retries and continues. @type {Scenario} */
export const nightlyBuild = {
  name: 'nightly-build',
  agent: 'claude',
  project: 'infra',
  prompt: 'Explain why the nightly build fails',
  args: [...UNATTENDED_ARGS, '--include-partial-messages'],
  prepare: (cwd) => {
    const file = `${cwd}/Dockerfile`
    const floating = readFileSync(file, 'utf8').replaceAll(PINNED, 'node:22-alpine')
    writeFileSync(file, floating)
    git(cwd, 'commit', '--quiet', '--all', '--message', 'Follow the newest Alpine image')
  },
  script: (cwd) => ({
    main: [
      {
        text: 'The log of the last night first.',
        tools: [bash('tail -n 20 ci/nightly.log', 'End of the nightly log')],
      },
      OVERLOADED,
      OVERLOADED,
      {
        thinking:
          'bcrypt is compiled because there is no prebuilt binary for this musl. Why now? Either the dependency or the image has changed.',
        tools: [
          read(`${cwd}/Dockerfile`),
          grep('WARN|ERR! (find|stack)', {path: 'ci/nightly.log'}),
        ],
      },
      {
        tools: [
          bash(
            'git log --oneline --patch -1 -- Dockerfile && cat ci/nightly.yml',
            'Last change of the image, and the steps',
          ),
        ],
      },
      {text: ANSWER},
    ],
  }),
}
