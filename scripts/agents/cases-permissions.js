// Cases about questions to the user.

/** @import {Case} from './cases.js' */

const QUESTIONS = [
  {
    question: 'Which database should the service use?',
    header: 'Database',
    multiSelect: false,
    options: [
      {label: 'SQLite', description: 'One file, no server'},
      {label: 'PostgreSQL', description: 'A server of its own'},
    ],
  },
  {
    question: 'Which checks should run before a commit?',
    header: 'Checks',
    multiSelect: true,
    options: [
      {label: 'Types', description: 'The compiler'},
      {label: 'Lint, strict', description: 'The linter with all rules'},
      {label: 'Tests', description: 'Unit tests only'},
    ],
  },
  {
    question: 'What is the package called?',
    header: 'Name',
    multiSelect: false,
    options: [
      {label: 'vitrine', description: 'As the folder'},
      {label: 'glass', description: 'Shorter'},
    ],
  },
]

/** The model asks, then prints the result of its tool. */
const script = () => ({
  main: [
    {tools: [{name: 'AskUserQuestion', input: {questions: QUESTIONS}}]},
    (/** @type {{last: string}} */ {last}) => ({text: `The tool result is ${last}`}),
  ],
})

/** @param {import('./try-case.js').Seen['events']} events */
function resultOf(events) {
  const text = events.find((event) => event.text?.startsWith('The tool result is '))?.text ?? ''
  return text.replaceAll('\\', '')
}

/** @type {Case[]} */
export const permissionCases = [
  {
    name: 'question',
    title: 'question to the user',
    about: 'a question of the model is answered through the hub; the model receives the answers',
    isFor: ({requestsPermission}) => requestsPermission,
    isAsked: true,
    options: ['--permissions', 'ask'],
    script,
    meanwhile: async ({hub, runId}) => {
      const {requestId} = await hub.receives(runId, ({type}) => type === 'permission_request')
      const answers = [['SQLite'], ['Types', 'Lint, strict'], ['showcase']]
      hub.send({type: 'answer_permission', runId, requestId, allow: true, answers})
    },
    check: ({events, verdict}, check) => {
      const result = resultOf(events)
      for (const answer of ['"SQLite"', 'Types, "Lint, strict"', '"showcase"']) {
        check(`the model receives ${answer}`, result.includes(answer), result)
      }
      check('no request counts as denied', verdict.deniedCount === 0, verdict.deniedCount)
    },
  },
  {
    name: 'question-unattended',
    title: 'question, no user',
    about: 'with `--permissions allow` the model learns that no user can answer its question',
    isFor: ({requestsPermission}) => requestsPermission,
    isAsked: true,
    options: ['--permissions', 'allow'],
    script,
    check: ({events, stderr}, check) => {
      const result = resultOf(events)
      check('the model learns why', result.includes('No user can answer questions'), result)
      check('so does the log', stderr.includes('only --permissions ask asks the user'), stderr)
    },
  },
]
