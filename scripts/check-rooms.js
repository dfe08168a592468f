// Checks that every room imports only the rooms and packages it may, type imports included, and that there is no cycle.

import process from 'node:process'
import {fileURLToPath} from 'node:url'
import swc from '@swc/core'
import {cruise, format} from 'dependency-cruiser'

/** @import {ParseOptions} from '@swc/core' */
/** @import {IForbiddenRuleType} from 'dependency-cruiser' */

const VOCABULARY = ['src/core', 'src/permissions', 'src/secrets']
/** Payloads of hooks name the transcript of a session, which has the format of Claude Code. */
const CLAUDE_TRANSCRIPT = '^src/agents/claude/transcript'
const PAGE = ['dashboard/src/ui', 'dashboard/src/styles']

/**
 * The allowed imports of each room besides itself; `node` stands for all modules of Node, `npm` for all packages.
 *
 * @type {Record<string, string[]>}
 */
const ROOMS = {
  'src/core/text': [],
  'src/core/wire': ['src/core/text'],
  'src/core/events': ['src/core/text', 'src/core/wire'],
  'src/core/run': ['src/core/text', 'src/core/wire', 'src/core/events'],
  'src/core/protocol': ['src/core/text', 'src/core/wire', 'src/core/events', 'src/core/run'],
  // The words that the terminal and the dashboard both show.
  'src/core/words': ['src/core/text', 'src/core/events', 'src/core/run'],
  'src/permissions': ['src/core'],
  'src/secrets': ['src/core'],
  'src/agents': ['src/core', 'src/permissions'],
  'src/terminal': ['src/core', 'src/secrets', 'string-width'],
  'src/recording': ['src/core', 'node'],
  'src/database': ['src/recording', 'node', 'libsql'],
  'src/replay': [...VOCABULARY, 'src/recording', 'node'],
  'src/history': [...VOCABULARY, 'src/agents', 'src/recording', 'src/database', 'node', 'fzstd'],
  'src/hooks': [...VOCABULARY, 'src/agents', 'src/recording', 'node', 'diff', 'jsonc-parser'],
  'src/runner': [...VOCABULARY, 'src/agents', 'src/recording', 'node', 'ignore'],
  'src/hub': [
    ...VOCABULARY,
    'src/agents',
    'src/recording',
    'src/database',
    'src/history',
    'src/replay',
    'node',
    'ws',
    'hono',
    '@hono/node-server',
    'zod',
  ],
  'src/fixture': [...VOCABULARY, 'src/agents', 'src/recording', 'src/terminal', 'node'],
  'src/export': [...VOCABULARY, 'src/agents', 'src/recording', 'src/history', 'src/replay', 'node'],
  'src/demo': ['src/core', 'src/agents', 'src/recording', 'src/runner', 'src/fixture', 'node'],
  'src/cli': ['src/', 'node', 'commander', 'string-width'],
  'dashboard/src/ui': ['src/core', 'dashboard/src/styles', 'npm'],
  'dashboard/src/hub': [
    'src/core',
    // Only its types: .oxlintrc.json.
    'src/hub/protocol/answers.ts',
    'src/replay/run-item.ts',
    'dashboard/src/ui/create-store.ts',
    'npm',
  ],
  'dashboard/src/model': ['src/core', 'src/replay/run-item.ts'],
  'dashboard/src/cards': ['src/core', ...PAGE, 'npm'],
  'dashboard/src/timeline': ['dashboard/src/model/timeline-data.ts', ...PAGE, 'npm'],
  'dashboard/src/stats': [
    'src/core',
    'src/replay/run-item.ts',
    'dashboard/src/model',
    ...PAGE,
    'npm',
  ],
  'dashboard/src/shell': ['src/core', 'dashboard/src/hub', ...PAGE, 'npm'],
  'dashboard/src/usage': ['src/core', 'dashboard/src/hub', 'dashboard/src/shell', ...PAGE, 'npm'],
  'dashboard/src/search': ['src/core', 'dashboard/src/hub', 'dashboard/src/shell', ...PAGE, 'npm'],
  'dashboard/src/runs': ['src/core', 'dashboard/src/(?:hub|search|shell)', ...PAGE, 'npm'],
  'dashboard/src/run': [
    'src/core',
    'src/replay/run-item.ts',
    'dashboard/src/(?:cards|hub|model|shell|stats|timeline)',
    ...PAGE,
    'npm',
  ],
  'dashboard/src/export': [
    'src/export/exported-run.ts',
    'src/replay/run-item.ts',
    'dashboard/src/(?:model|run|shell)',
    ...PAGE,
    'npm',
  ],
}

// dependency-cruiser parses every file as plain TypeScript; TSX needs an option of its own.
const parseFile = swc.parseFileSync
Object.assign(swc, {
  parseFileSync: (/** @type {string} */ file, /** @type {ParseOptions} */ options) =>
    parseFile(file, {...options, syntax: 'typescript', tsx: file.endsWith('.tsx')}),
})

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const {output} = await cruise(['src', 'dashboard/src'], {
  parser: 'swc',
  tsPreCompilationDeps: true,
  doNotFollow: {path: 'node_modules'},
  // Tests, and the lists of public names, may import any room.
  exclude: {path: String.raw`\.test\.ts$|^src/index\.ts$|^src/[a-z]+/index\.ts$|/fixtures/`},
  enhancedResolveOptions: {
    extensions: ['.ts', '.tsx', '.js'],
    exportsFields: ['exports'],
    conditionNames: ['import', 'default'],
  },
  validate: true,
  ruleSet: {
    forbidden: [
      {name: 'no-cycle', severity: 'error', from: {}, to: {circular: true}},
      ...Object.entries(ROOMS).map(toRule),
      {
        name: 'an adapter imports no other adapter',
        severity: 'error',
        from: {path: '^src/agents/([^/]+)/'},
        to: {
          path: '^src/agents/[^/]+/',
          pathNot: ['^src/agents/($1|messages-api)/', CLAUDE_TRANSCRIPT],
        },
      },
    ],
  },
})
const report = await format(/** @type {any} */ (output), {outputType: 'err'})
process.stdout.write(String(report.output))
process.exitCode = report.exitCode

/**
 * @param {[room: string, allowed: string[]]} row
 * @returns {IForbiddenRuleType}
 */
function toRule([room, allowed]) {
  const names = allowed.map((name) => {
    if (name === 'node') return String.raw`^(?:node:)?[a-z_/0-9]+$`
    if (name === 'npm') return '^node_modules/'
    if (/^(?:src|dashboard)\//.test(name)) return `^${name}`
    return `^node_modules/(?:@types/)?${name}/`
  })
  return {
    name: `${room} imports only ${allowed.join(', ') || 'itself'}`,
    severity: 'error',
    from: {path: `^${room}/`},
    to: {pathNot: [`^${room}/`, ...names]},
  }
}
