// All cases: what the model answers, and what Vitrine has to report. Cases of one topic are in `cases-<topic>.js` and are
// added at the end of this list.

import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {DONE, joinContent, joinDeltas, joinText, toWaitingCommand} from './case.js'
import {basicCases} from './cases-basics.js'
import {figureCases} from './cases-figures.js'
import {permissionCases} from './cases-permissions.js'
import {waitingCases} from './cases-waiting.js'

/** @typedef {import('./case.js').Case} Case */
/** @typedef {import('./case.js').Check} Check */

/** Reports a small usage, because agents compact a conversation of the true length. */
const SHORT = {contextTokens: 20_000, outputTokens: 2000}
/** Some agents compact it anyway, and some need only one turn. */
const SPARE_DONE = {...DONE, ...SHORT, isSpare: true}

/** @type {Case[]} */
export const cases = [
  {
    name: 'text',
    title: 'text',
    about: 'the text, complete and once; the reasoning, where the agent prints it',
    script: () => ({
      main: [{thinking: 'A short answer will do.', text: 'Hello from behind the glass.'}],
    }),
    check: ({events, profile, messages}, check) => {
      check('the text', joinText(events) === 'Hello from behind the glass.', joinText(events))
      const thinking = joinDeltas(events, 'thinking')
      check(
        'the thinking',
        !profile.printsThinking || thinking.includes('A short answer'),
        thinking,
      )
      check('agent_output', joinContent(messages).includes('Hello from behind the glass.'))
    },
  },
  {
    name: 'unicode',
    title: 'Unicode',
    about: 'every character, line separators included, in the events and at the hub',
    script: () => ({main: [{text: UNICODE}]}),
    check: ({events, messages}, check) => {
      check('the text, character by character', joinText(events) === UNICODE, joinText(events))
      check('the same at the hub', joinContent(messages).includes('👩‍👩‍👧‍👦'))
    },
  },
  {
    name: 'tool-ok',
    title: 'tool',
    about: 'one start, one successful end, its output; `file_changed` for the file it creates',
    script: ({shell}) => ({
      main: [{tools: [shell('printf "one\\ntwo\\n" > made.txt && cat made.txt')]}, DONE],
    }),
    check: ({events, messages, cwd}, check) => {
      const [end, ...more] = events.filter(({type}) => type === 'tool-end')
      check('one successful tool', end?.ok === true && more.length === 0, end)
      check('its output', String(end?.output).includes('two'), end?.output)
      check('the file that it creates', existsSync(join(cwd, 'made.txt')))
      const result = messages.find(({type}) => type === 'agent_tool_result')
      check('agent_tool_result', result?.success === true, result)
      const changed = messages.find(({type}) => type === 'file_changed')
      check('file_changed', changed?.path === 'made.txt' && changed.action === 'created', changed)
    },
  },
  {
    name: 'tool-fails',
    title: 'tool failure',
    about: 'a command that exits with 3 has failed, where the agent reports it (Gemini does not)',
    script: ({shell}) => ({main: [{tools: [shell('cat does-not-exist.txt; exit 3')]}, DONE]}),
    check: ({events, profile, messages}, check) => {
      const end = events.find(({type}) => type === 'tool-end')
      check('the tool has failed', end?.ok === !profile.reportsToolFailures, end)
      const result = messages.find(({type}) => type === 'agent_tool_result')
      check('agent_tool_result', result?.success === !profile.reportsToolFailures, result)
      check('the reason', `${end?.output} ${end?.error}`.includes('No such file'), end)
    },
  },
  {
    name: 'permission',
    title: 'permission',
    about:
      'two requests answered through the hub, one allowed, one denied; the denied command does not run',
    isFor: ({requestsPermission}) => requestsPermission,
    isAsked: true,
    options: ['--permissions', 'ask'],
    script: ({shell}) => ({
      main: [{tools: [shell('touch allowed.txt')]}, {tools: [shell('touch denied.txt')]}, DONE],
    }),
    meanwhile: async ({hub, runId}) => {
      for (const [command, allow] of /** @type {[string, boolean][]} */ ([
        ['touch allowed.txt', true],
        ['touch denied.txt', false],
      ])) {
        const {requestId} = await hub.receives(
          runId,
          (message) =>
            message.type === 'permission_request' && JSON.stringify(message).includes(command),
        )
        hub.send({type: 'answer_permission', runId, requestId, allow})
      }
    },
    check: ({events, verdict, cwd}, check) => {
      const asked = events.filter(({type}) => type === 'permission-request')
      check('two requests', asked.length === 2, asked)
      check('the allowed command ran', existsSync(join(cwd, 'allowed.txt')))
      check('the denied command did not run', !existsSync(join(cwd, 'denied.txt')))
      check('one request counts as denied', verdict.deniedCount === 1, verdict.deniedCount)
    },
  },
  ...permissionCases,
  {
    name: 'api-error',
    title: 'API error',
    about: '`failed`, exit code 1, and the reason',
    verdict: 'failed',
    script: () => ({
      main: [{error: {status: 400, message: 'the model is made of glass', forever: true}}],
    }),
    check: ({verdict, stderr}, check) => {
      const text = `${verdict.reason} ${verdict.evidence.join(' ')} ${stderr}`
      check('the reason', /glass|400/.test(text), text)
    },
  },
  {
    name: 'retry',
    title: 'retry, then success',
    about: 'a server error, then an answer: `succeeded`',
    script: ({overloaded}) => ({
      main: [{error: {...overloaded, message: 'Overloaded', retryAfterS: 1}}, DONE],
    }),
    check: ({events}, check) => {
      check('the answer after it', joinText(events).includes(DONE.text), joinText(events))
    },
  },
  {
    name: 'sub-agent',
    title: 'sub-agent',
    about: 'its tool succeeds, with its answer where the agent prints it (Gemini does not)',
    isFor: ({subAgent}) => subAgent !== undefined,
    script: ({subAgent, shell, toSubAgentAnswer = (text) => ({text})}) => ({
      others: {
        [ERRAND]: [{tools: [shell('echo from below')]}, toSubAgentAnswer('Below all is well.')],
      },
      main: [...(subAgent?.(ERRAND) ?? []), DONE],
    }),
    check: ({events, profile}, check) => {
      const tasks = events.filter(({type, tool}) => type === 'tool-start' && tool === 'Task')
      const ends = events.filter(
        ({type, toolId}) => type === 'tool-end' && tasks.some((task) => task.toolId === toolId),
      )
      check('the sub-agent succeeded', ends.length > 0 && ends.every(({ok}) => ok === true), ends)
      const output = ends.map((end) => end.output).join('\n')
      const isAnswer = profile.hidesSubAgentAnswers || output.includes('Below all is well.')
      check('with its answer', isAnswer, output)
    },
  },
  {
    name: 'background',
    title: 'background',
    about:
      'a background command during the answer; Claude 2.1 has a second result when the command ends, which ends the run',
    isFor: ({background}) => background !== undefined,
    script: ({background}) => ({
      main: [
        {tools: background === undefined ? [] : [background('sleep 2; echo late')]},
        {text: 'It runs.'},
        {text: 'Now it has ended.', isSpare: true},
        {text: 'Nothing is left.', isSpare: true},
      ],
    }),
    check: ({events, program, verdict}, check) => {
      const text = joinText(events)
      check('the text', text.includes('It runs.'), text)
      check(
        'the text after the background command',
        !program.continuesAfterBackground || text.endsWith('Now it has ended.'),
        text,
      )
      check('three turns', !program.continuesAfterBackground || verdict.turns === 3, verdict.turns)
    },
  },
  {
    name: 'left-behind',
    title: 'leftover process',
    about: 'a process that a command leaves behind is terminated with the run',
    isUntraced: true,
    script: ({shell}, {mark}) => ({
      main: [{tools: [shell(`(${toWaitingCommand(mark)} > /dev/null 2>&1 &) ; echo begun`)]}, DONE],
    }),
    check: ({isRunning, mark}, check) => {
      check('no process survives', !isRunning(toWaitingCommand(mark)))
    },
  },
  {
    name: 'interrupt',
    title: 'Ctrl-C',
    about: 'SIGINT during a tool: `stopped`, exit code 130, no process survives',
    verdict: 'stopped',
    isUntraced: true,
    script: ({shell}, {mark}) => ({main: [{tools: [shell(toWaitingCommand(mark))]}, DONE]}),
    meanwhile: async ({waitUntilRunning, interrupt, mark}) => {
      await waitUntilRunning(toWaitingCommand(mark))
      interrupt()
    },
    check: ({isRunning, mark}, check) => {
      check('no process survives', !isRunning(toWaitingCommand(mark)))
    },
  },
  {
    name: 'stop',
    title: 'stopped from the hub',
    about: 'the same with `stop_run` from a client of the hub',
    verdict: 'stopped',
    isUntraced: true,
    script: ({shell}, {mark}) => ({main: [{tools: [shell(toWaitingCommand(mark))]}, DONE]}),
    meanwhile: async ({waitUntilRunning, hub, runId, mark}) => {
      await waitUntilRunning(toWaitingCommand(mark))
      hub.send({type: 'stop_run', runId})
    },
    check: ({isRunning, mark}, check) => {
      check('no process survives', !isRunning(toWaitingCommand(mark)))
    },
  },
  {
    name: 'budget',
    title: 'budget',
    about:
      '`--max-cost` terminates the agent during a message: `over-budget`, exit code 125, and the cost is reported',
    isFor: ({cost}) => cost === 'reported',
    isUntraced: true,
    options: ['--max-cost', '0.001'],
    verdict: 'over-budget',
    speed: 1,
    // The call is long enough to be terminated while it is streamed, after the first text.
    script: ({shell}) => ({
      main: [{pauseMs: 0, text: 'Now.', tools: [shell(`echo ${'so '.repeat(200)}`)]}, DONE],
    }),
    check: ({verdict}, check) => {
      check('the cost exceeds the limit', (verdict.costUsd ?? 0) > 0.001, verdict.costUsd)
    },
  },
  {
    name: 'huge-line',
    title: '1.6 MB line',
    about: 'a line of 1.6 MB, complete, and all lines after it',
    script: ({toHugeTurn}, {cwd}) => ({
      main: [{...toHugeTurn(HUGE, join(cwd, 'huge.txt')), ...SHORT}, SPARE_DONE, SPARE_DONE],
    }),
    check: ({recorded, profile, cwd}, check) => {
      const longest = findMaxLineLength(recorded)
      check('a line of 1.6 MB', longest >= HUGE.length, longest)
      if (profile.writesHugeFile) {
        const file = existsSync(join(cwd, 'huge.txt')) && readFileSync(join(cwd, 'huge.txt'))
        check('the file that it writes', file && file.length === HUGE.length, file && file.length)
      }
    },
  },
  ...basicCases,
  ...figureCases,
  ...waitingCases,
]

const UNICODE =
  'naïve façade, 日本語, עברית, 🧪, 👩‍👩‍👧‍👦, e\u0301, line\u2028separator, paragraph\u2029separator, \ufeffmark, 𝔘𝔫𝔦'
const ERRAND = 'Look into the cellar and say how it is there.'
const HUGE = `${'x'.repeat(79)}\n`.repeat(20_000)

/** @param {Buffer} bytes */
function findMaxLineLength(bytes) {
  let longest = 0
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    longest = Math.max(longest, (end === -1 ? bytes.length : end) - start)
    if (end === -1) break
    start = end + 1
  }
  return longest
}
