import {defineConfig} from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'dashboard/src/**/*.test.ts', 'test/**/*.test.ts'],
    env: {TZ: 'UTC', NO_COLOR: '1'},
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What is waited for comes later on a machine that is busy.
    expect: {poll: {timeout: 10_000}},
    coverage: {
      provider: 'v8',
      include: ['src/core/**/*.ts', 'src/agents/**/*.ts'],
      exclude: ['**/*.test.ts', '**/wire/**'],
      reporter: ['text', 'json-summary'],
      thresholds: {lines: 95, branches: 95, functions: 95, statements: 95},
    },
  },
})
