// Facts that every list of runs shows: the title, the files, the version of the agent, its model.

import {DONE} from './case.js'

/** @import {Case, Check} from './case.js' */
/** @import {Seen} from './try-case.js' */

const PROMPT = 'Fix the tests\nand say what was wrong'
const TITLE = 'Fix the tests'

/** @type {Case[]} */
export const basicCases = [
  {
    name: 'thinking',
    title: 'thinking as messages',
    about:
      '`agent_thinking` before the answer, for a client with `includeThinking`, where the agent prints its reasoning',
    isFor: ({printsThinking}) => printsThinking,
    script: () => ({main: [{thinking: 'Two and two are four.', text: 'Four.'}]}),
    check: async ({hub, runId, messages}, check) => {
      const page = await hub.get(`/api/runs/${runId}/events?includeThinking=true`)
      const {events} = /** @type {{events: Seen['messages']}} */ (JSON.parse(String(page)))
      const at = events.findIndex(({type}) => type === 'agent_thinking')
      const {content = '', seq} = events[at] ?? {}
      check('one message for the reasoning', content.includes('Two and two'), events)
      const next = events[at + 1]
      check('the answer follows', next?.content === 'Four.' && next.seq === Number(seq) + 1, next)
      const hidden = messages.filter(({type}) => type === 'agent_thinking')
      check('only clients that ask receive it', hidden.length === 0, hidden)
    },
  },
  {
    name: 'files',
    title: 'files of a command',
    about:
      'files that a command creates, modifies and deletes count, each once: in the verdict, at the hub, in `vitrine runs`',
    setup: () => ({files: {'old.txt': 'one\n', 'gone.txt': 'two\n'}}),
    script: ({shell}) => ({
      main: [
        {
          tools: [
            shell(
              'mkdir sub && echo a > new.txt && echo b > sub/deep.txt && echo more >> old.txt && rm gone.txt',
            ),
          ],
        },
        DONE,
      ],
    }),
    check: async ({verdict, summary, messages, runId, vitrine}, check) => {
      const changes = messages
        .filter(({type}) => type === 'file_changed')
        .map(({path, action}) => `${action} ${path}`)
        .toSorted()
      const wanted = [
        'created new.txt',
        'created sub/deep.txt',
        'deleted gone.txt',
        'modified old.txt',
      ]
      check('each change is reported once', changes.join() === wanted.join(), changes)
      check('fileCount of the verdict', verdict.fileCount === 4, verdict.fileCount)
      check('fileCount at the hub', summary['fileCount'] === 4, summary['fileCount'])
      const row = (await vitrine('runs')).split('\n').find((line) => line.startsWith(runId))
      check('vitrine runs counts them', row?.includes('4 files'), row)
    },
  },
  {
    name: 'title-arguments',
    title: 'title among options',
    about: 'the title is the prompt, also where other options have values',
    setup: ({options}) => ({prompt: PROMPT, args: options}),
    script: () => ({main: [DONE]}),
    check: checkTitle,
  },
  {
    name: 'title-stdin',
    title: 'title from stdin',
    about: 'the title is the prompt from stdin',
    isFor: ({readsStdin}) => readsStdin,
    setup: () => ({prompt: '', stdin: `${PROMPT}\n`}),
    options: ['--stdin'],
    script: () => ({main: [DONE]}),
    check: checkTitle,
  },
  {
    name: 'title-message',
    title: 'title from a message',
    about: 'the title is the text of the first message on stdin (`--input-format stream-json`)',
    isFor: (_, {agent}) => agent === 'claude',
    setup: () => ({
      prompt: null,
      stdin: `${JSON.stringify({type: 'user', message: {role: 'user', content: PROMPT}})}\n`,
    }),
    options: ['--stdin'],
    script: () => ({main: [DONE]}),
    check: checkTitle,
  },
  {
    name: 'about',
    title: 'version and model',
    about:
      'the version of the program and, where the agent names it, the model: at the hub and in the recording',
    // With strace, the program is not the one that npm installed.
    isUntraced: true,
    script: () => ({main: [DONE]}),
    check: async ({program, profile, summary, runId, vitrine}, check) => {
      const {version} = program
      check('the version', summary['agentVersion'] === version, summary['agentVersion'])
      const {model = null} = summary
      check('the model', model === (program.model ?? profile.model), model)
      const lines = (await vitrine('runs', '--json')).split('\n').filter(Boolean)
      const row = lines.map((line) => JSON.parse(line)).find((one) => one.runId === runId)
      check('vitrine runs has the version', row?.agentVersion === version, row)
      const header = (await vitrine('view', runId)).split('\n').slice(0, 3).join('\n')
      check('the header has the version', header.includes(version), header)
    },
  },
]

/**
 * @param {Seen} seen
 * @param {Check} check
 */
async function checkTitle({summary, runId, vitrine}, check) {
  check('the title at the hub', summary['title'] === TITLE, summary['title'])
  const row = (await vitrine('runs')).split('\n').find((line) => line.startsWith(runId))
  check('the title in vitrine runs', row?.includes(TITLE), row)
}
