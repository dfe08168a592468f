import {defineConfig} from 'vitest/config'

const env = {TZ: 'UTC', NO_COLOR: '1'}
// Tests that start processes take longer on a busy machine.
const timeouts = {testTimeout: 60_000, hookTimeout: 120_000, expect: {poll: {timeout: 10_000}}}

// CONTRIBUTING.md lists the command for each project.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'src/{agents,cli,core,demo,export,fixture,permissions,secrets,terminal}/**/*.test.ts',
            'dashboard/src/**/*.test.ts',
            'test/unit/*.test.ts',
          ],
          env,
          pool: 'threads',
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          sequence: {groupOrder: 0},
        },
      },
      {
        test: {
          name: 'files',
          include: ['src/{database,history,hooks,hub,recording,replay,runner}/**/*.test.ts'],
          env,
          ...timeouts,
          isolate: false,
          // These tests mostly wait for files and processes.
          maxWorkers: 4,
          sequence: {groupOrder: 1},
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/*.test.ts'],
          env,
          ...timeouts,
          isolate: false,
          maxWorkers: 4,
          sequence: {groupOrder: 2},
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          env,
          ...timeouts,
          globalSetup: 'test/support/browser-setup.ts',
          maxWorkers: 3,
          sequence: {groupOrder: 3},
        },
      },
      {
        test: {
          name: 'slow',
          include: ['test/slow/*.test.ts'],
          env,
          ...timeouts,
          globalSetup: 'test/support/browser-setup.ts',
          maxWorkers: 2,
          sequence: {groupOrder: 4},
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/{core,agents,permissions,secrets}/**/*.ts'],
      exclude: ['**/*.test.ts', 'src/agents/*/wire/**'],
      reporter: ['text', 'json-summary'],
      thresholds: {lines: 95, branches: 95, functions: 95, statements: 95},
    },
  },
})
