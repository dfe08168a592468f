// What every agent is tried with: what the model says, and what must be seen of it. Cases of one topic are in a file of their own,
// `cases-<topic>.js`, and are added at the end of this list.

import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {BYE, contentOf, joined, saidIn, waiting} from './case.js'
import {basicCases} from './cases-basics.js'
import {figureCases} from './cases-figures.js'
import {permissionCases} from './cases-permissions.js'
import {waitingCases} from './cases-waiting.js'

/** @typedef {import('./case.js').Case} Case */
/** @typedef {import('./case.js').Check} Check */

/** As if it were short: of its true length agents would begin to shorten the conversation. */
const SHORT = {contextTokens: 20_000, outputTokens: 2000}
/** Some shorten it all the same, and some say all in one turn. */
const SPARE_BYE = {...BYE, ...SHORT, isSpare: true}

/** @type {Case[]} */
export const cases = [
  {
    name: 'text',
    title: 'text',
    about: 'the text, complete and once; the reasoning, where the agent prints it',
    script: () => ({
      main: [{thinking: 'A short answer will do.', text: 'Hello from behind the glass.'}],
    }),
    check: ({events, tongue, messages}, check) => {
      check('the text', saidIn(events) === 'Hello from behind the glass.', saidIn(events))
      const thoughts = joined(events, 'thinking')
      check('the thoughts', !tongue.thinks || thoughts.includes('A short answer'), thoughts)
      check('agent_output', contentOf(messages).includes('Hello from behind the glass.'))
    },
  },
  {
    name: 'unicode',
    title: 'Unicode',
    about: 'every character, line separators included, in the events and at the hub',
    script: () => ({main: [{text: UNICODE}]}),
    check: ({events, messages}, check) => {
      check('the text, character by character', saidIn(events) === UNICODE, saidIn(events))
      check('the same at the hub', contentOf(messages).includes('👩‍👩‍👧‍👦'))
    },
  },
  {
    name: 'tool-ok',
    title: 'tool',
    about: 'one start, one successful end, its output; `file_changed` for the file it creates',
    script: ({shell}) => ({
      main: [{tools: [shell('printf "one\\ntwo\\n" > made.txt && cat made.txt')]}, BYE],
    }),
    check: ({events, messages, cwd}, check) => {
      const [end, ...more] = events.filter(({type}) => type === 'tool-end')
      check('one tool, which went well', end?.ok === true && more.length === 0, end)
      check('its output', String(end?.output).includes('two'), end?.output)
      check('what it did', existsSync(join(cwd, 'made.txt')))
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
    script: ({shell}) => ({main: [{tools: [shell('cat does-not-exist.txt; exit 3')]}, BYE]}),
    check: ({events, tongue, messages}, check) => {
      const end = events.find(({type}) => type === 'tool-end')
      check('the tool has failed', end?.ok === !tongue.failsTools, end)
      const result = messages.find(({type}) => type === 'agent_tool_result')
      check('agent_tool_result', result?.success === !tongue.failsTools, result)
      check('why', `${end?.output} ${end?.error}`.includes('No such file'), end)
    },
  },
  {
    name: 'permission',
    title: 'permission',
    about:
      'two requests answered through the hub, one allowed, one denied; the denied command does not run',
    isFor: ({asks}) => asks,
    isAsked: true,
    options: ['--permissions', 'ask'],
    script: ({shell}) => ({
      main: [{tools: [shell('touch allowed.txt')]}, {tools: [shell('touch denied.txt')]}, BYE],
    }),
    meanwhile: async ({hub, runId}) => {
      for (const [command, allow] of /** @type {[string, boolean][]} */ ([
        ['touch allowed.txt', true],
        ['touch denied.txt', false],
      ])) {
        const {requestId} = await hub.hears(
          runId,
          (message) =>
            message.type === 'permission_request' && JSON.stringify(message).includes(command),
        )
        hub.say({type: 'answer_permission', runId, requestId, allow})
      }
    },
    check: ({events, verdict, cwd}, check) => {
      const asked = events.filter(({type}) => type === 'permission-request')
      check('two requests', asked.length === 2, asked)
      check('what was allowed was done', existsSync(join(cwd, 'allowed.txt')))
      check('what was refused was not', !existsSync(join(cwd, 'denied.txt')))
      check('one is counted as refused', verdict.deniedCount === 1, verdict.deniedCount)
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
      const told = `${verdict.reason} ${verdict.evidence.join(' ')} ${stderr}`
      check('the reason', /glass|400/.test(told), told)
    },
  },
  {
    name: 'retry',
    title: 'retry, then success',
    about: 'a server error, then an answer: `succeeded`',
    script: ({overloaded}) => ({
      main: [{error: {...overloaded, message: 'Overloaded', retryAfterS: 1}}, BYE],
    }),
    check: ({events}, check) => {
      check('the answer after it', saidIn(events).includes(BYE.text), saidIn(events))
    },
  },
  {
    name: 'sub-agent',
    title: 'sub-agent',
    about: 'its tool succeeds, with its answer where the agent prints it (Gemini does not)',
    isFor: ({subAgent}) => subAgent !== undefined,
    script: ({subAgent, shell, report = (text) => ({text})}) => ({
      others: {
        [ERRAND]: [{tools: [shell('echo from below')]}, report('Below all is well.')],
      },
      main: [...(subAgent?.(ERRAND) ?? []), BYE],
    }),
    check: ({events, tongue}, check) => {
      const tasks = events.filter(({type, tool}) => type === 'tool-start' && tool === 'Task')
      const ends = events.filter(
        ({type, toolId}) => type === 'tool-end' && tasks.some((task) => task.toolId === toolId),
      )
      check('the sub-agent came back', ends.length > 0 && ends.every(({ok}) => ok === true), ends)
      const output = ends.map((end) => end.output).join('\n')
      const isAnswer = tongue.hidesAnswers || output.includes('Below all is well.')
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
      const said = saidIn(events)
      check('its words', said.includes('It runs.'), said)
      check('those after it has ended', !program.goesOn || said.endsWith('Now it has ended.'), said)
      check('three turns', !program.goesOn || verdict.turns === 3, verdict.turns)
    },
  },
  {
    name: 'left-behind',
    title: 'leftover process',
    about: 'a process that a command leaves behind is terminated with the run',
    isUntraced: true,
    script: ({shell}, {mark}) => ({
      main: [{tools: [shell(`(${waiting(mark)} > /dev/null 2>&1 &) ; echo begun`)]}, BYE],
    }),
    check: ({isRunning, mark}, check) => {
      check('nothing of it survives', !isRunning(waiting(mark)))
    },
  },
  {
    name: 'interrupt',
    title: 'Ctrl-C',
    about: 'SIGINT during a tool: `stopped`, exit code 130, no process survives',
    verdict: 'stopped',
    isUntraced: true,
    script: ({shell}, {mark}) => ({main: [{tools: [shell(waiting(mark))]}, BYE]}),
    meanwhile: async ({untilRunning, interrupt, mark}) => {
      await untilRunning(waiting(mark))
      interrupt()
    },
    check: ({isRunning, mark}, check) => {
      check('nothing of it survives', !isRunning(waiting(mark)))
    },
  },
  {
    name: 'stop',
    title: 'stopped from the hub',
    about: 'the same with `stop_run` from a client of the hub',
    verdict: 'stopped',
    isUntraced: true,
    script: ({shell}, {mark}) => ({main: [{tools: [shell(waiting(mark))]}, BYE]}),
    meanwhile: async ({untilRunning, hub, runId, mark}) => {
      await untilRunning(waiting(mark))
      hub.say({type: 'stop_run', runId})
    },
    check: ({isRunning, mark}, check) => {
      check('nothing of it survives', !isRunning(waiting(mark)))
    },
  },
  {
    name: 'budget',
    title: 'budget',
    about:
      '`--max-cost` terminates the agent during a message: `over-budget`, exit code 125, and the cost is reported',
    isFor: ({cost}) => cost === 'told',
    isUntraced: true,
    options: ['--max-cost', '0.001'],
    verdict: 'over-budget',
    speed: 1,
    // Long enough to be ended in the middle of it, when the first words are there.
    script: ({shell}) => ({
      main: [{pauseMs: 0, text: 'Now.', tools: [shell(`echo ${'so '.repeat(200)}`)]}, BYE],
    }),
    check: ({verdict}, check) => {
      check('it cost that much', (verdict.costUsd ?? 0) > 0.001, verdict.costUsd)
    },
  },
  {
    name: 'huge-line',
    title: '1.6 MB line',
    about: 'a line of 1.6 MB, complete, and all lines after it',
    script: ({huge}, {cwd}) => ({
      main: [{...huge(HUGE, join(cwd, 'huge.txt')), ...SHORT}, SPARE_BYE, SPARE_BYE],
    }),
    check: ({recorded, tongue, cwd}, check) => {
      const longest = longestLine(recorded)
      check('a line of 1.6 MB', longest >= HUGE.length, longest)
      if (tongue.writesHuge) {
        const made = existsSync(join(cwd, 'huge.txt')) && readFileSync(join(cwd, 'huge.txt'))
        check('the file it wrote', made && made.length === HUGE.length, made && made.length)
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
function longestLine(bytes) {
  let longest = 0
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    longest = Math.max(longest, (end === -1 ? bytes.length : end) - start)
    if (end === -1) break
    start = end + 1
  }
  return longest
}
