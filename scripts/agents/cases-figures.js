// Figures and answers of a run: cost, turns, durations, output formats.

import {DONE} from './case.js'

/** @import {Case} from './case.js' */

/** @param {{id: string}} program */
const isClaude = ({id}) => id === 'claude'
const INNER = 'Look behind the innermost door.'
const MIDDLE = 'Look behind the middle door.'

/** @param {string} prompt */
const subAgent = (prompt) => ({
  name: 'Task',
  input: {description: 'Look into it', prompt, subagent_type: 'general-purpose'},
})

/** @type {Case[]} */
export const figureCases = [
  {
    name: 'turns',
    title: 'turns',
    about: 'a turn is a request to the model: two, with three tool calls in the first answer',
    script: ({shell}) => ({
      main: [{tools: [shell('echo one'), shell('echo two'), shell('echo three')]}, DONE],
    }),
    check: ({verdict, program}, check) => {
      // Codex prints a call when it runs, without the answer that it belongs to.
      const isRight = program.agent === 'codex' ? verdict.turns >= 2 : verdict.turns === 2
      check('two turns', isRight, verdict.turns)
    },
  },
  {
    name: 'parallel-times',
    title: 'parallel call times',
    about:
      'a call that takes 0.3 s beside one of 1.5 s has its own time, or one that is marked as an upper bound',
    script: ({shell}) => ({main: [{tools: [shell('sleep 0.3'), shell('sleep 1.5')]}, DONE]}),
    check: ({events}, check) => {
      const first = events.find(({type}) => type === 'tool-end')
      check('the first call took less than 1.2 s', (first?.durationMs ?? 0) < 1200, first)
    },
  },
  {
    name: 'max-turns',
    title: '--max-turns',
    about: 'the third request to the model ends a run with a limit of two: `over-budget`',
    options: ['--max-turns', '2'],
    verdict: 'over-budget',
    isUntraced: true,
    script: ({shell}) => ({
      main: [
        {tools: [shell('echo one')]},
        {tools: [shell('echo two')]},
        {tools: [shell('sleep 30')]},
        {...DONE, isSpare: true},
      ],
    }),
    check: ({verdict}, check) => {
      check('the reason', verdict.reason === '3 turns of 2', verdict.reason)
    },
  },
  {
    name: 'unknown-price',
    title: 'unknown price',
    about: 'a budget with a model of unknown price prints a warning and is enforced',
    isFor: (_, program) => isClaude(program),
    setup: () => ({args: ['--model', 'glm-4.6']}),
    options: ['--max-cost', '0.001'],
    verdict: 'over-budget',
    isUntraced: true,
    speed: 1,
    script: ({shell}) => ({
      main: [{pauseMs: 0, text: 'Now.', tools: [shell(`echo ${'so '.repeat(200)}`)]}, DONE],
    }),
    check: ({stderr, verdict}, check) => {
      check('the warning', stderr.includes('the price of glm-4.6 is unknown'), stderr)
      check('it was terminated during a turn', verdict.turns === 1, verdict.turns)
    },
  },
  {
    name: 'nested-budget',
    title: 'budget, nested sub-agent',
    about: 'its usage is not in the stream except for its size; the budget is enforced',
    isFor: (_, program) => isClaude(program),
    options: ['--max-cost', '1'],
    verdict: 'over-budget',
    isUntraced: true,
    speed: 100,
    script: ({shell}) => ({
      others: {
        [INNER]: Array.from({length: 30}, (_, step) => ({
          tools: [shell(`echo ${step}; sleep 0.2`)],
          contextTokens: 20_000 * (step + 1),
          isSpare: true,
        })),
        [MIDDLE]: [{tools: [subAgent(INNER)]}, {...DONE, isSpare: true}],
      },
      main: [{tools: [subAgent(MIDDLE)]}, {...DONE, isSpare: true}],
    }),
    check: ({verdict, events}, check) => {
      check('not far beyond the budget', (verdict.costUsd ?? 9) < 2, verdict.costUsd)
      const counts = events.flatMap(({toolCount}) => (toolCount === undefined ? [] : [toolCount]))
      check('signs of life', Math.max(...counts) > 3, counts)
    },
  },
  {
    name: 'compaction-cost',
    title: 'cost of compaction',
    about: 'the request that compacts the conversation is part of the estimate',
    isFor: (_, program) => isClaude(program),
    script: ({shell}) => ({
      main: [
        {tools: [shell('echo one')], contextTokens: 150_000},
        {tools: [shell('echo two')], contextTokens: 190_000},
        {text: '<summary>So far.</summary>', contextTokens: 190_000},
        {...DONE, contextTokens: 30_000},
      ],
    }),
    setup: () => ({args: ['--settings', '{"env":{"CLAUDE_CODE_AUTO_COMPACT_WINDOW":"200000"}}']}),
    isEstimateLow: true,
    check: ({events}, check) => {
      const compacted = events.filter(({status}) => status === 'compacting')
      check('compacted', compacted.length > 0, compacted)
    },
  },
  {
    name: 'format-json',
    title: '--output-format json',
    about: 'one result and nothing else: verdict, cost and answer are known',
    isFor: (_, program) => isClaude(program),
    setup: () => ({args: ['--output-format', 'json']}),
    isEstimateLow: true,
    script: () => ({main: [{text: 'Hello from behind the glass.'}]}),
    check: ({events}, check) => {
      const end = events.find(({type}) => type === 'turn-end')
      check('the answer', end?.text === 'Hello from behind the glass.', end)
    },
  },
  {
    name: 'mcp-failed',
    title: 'failing MCP server',
    about: 'one warning that names it',
    isFor: (_, program) => isClaude(program),
    setup: () => ({args: ['--mcp-config', '{"mcpServers":{"broken":{"command":"false"}}}']}),
    script: () => ({main: [DONE]}),
    check: ({events}, check) => {
      const warnings = events.flatMap(({status, detail}) => (status === 'warning' ? [detail] : []))
      check('one warning', warnings.join() === 'MCP server not connected: broken', warnings)
    },
  },
]
