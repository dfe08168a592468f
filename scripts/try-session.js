// Drives a real interactive session of Claude Code in tmux against the scripted model, with the hooks of Vitrine
// installed, and checks the state that the hub reports after each step.
//
//   node scripts/try-session.js      needs tmux, and the agents of npm run test:agents

import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {prepareCommand} from './agents/commands.js'
import {startModelServer} from './agents/model-server.js'
import {getDefaultFolder, toCommand, programs} from './agents/programs.js'
import {createSandbox} from './agents/try-case.js'

/** @typedef {{state: string, waiting?: {why: string}, verdict?: string, deniedCount: number, agentVersion?: string, costUsd: number | null}} Run */

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const TIMEOUT_MS = 20_000

/** @param {string} command */
const shell = (command) => ({name: 'Bash', input: {command, description: 'Run it'}})
const script = {
  main: [
    {text: 'I will run it.', tools: [shell("sleep 6; echo 'it'\\''s' > one.txt")]},
    {text: 'That is done.'},
    {tools: [shell('touch two.txt')]},
    {tools: [shell('sleep 20; touch three.txt')]},
    {text: 'A rather long answer that goes on and on. '.repeat(400)},
  ],
}

const program = programs.find(({id}) => id === 'claude')
if (program === undefined) throw new Error('claude is not among the programs')
const [claude = ''] = toCommand(getDefaultFolder(), program)
const sandbox = createSandbox()
const dataDir = join(sandbox.root, 'data')
const socket = join(sandbox.root, 'tmux')
const server = await startModelServer({script, speed: 1})
prepareHome()
const hub = spawn(
  process.execPath,
  [bin, 'serve', '--port', '0', '--json', '--data-dir', dataDir],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
)
const problems = []
try {
  const [line] = await once(hub.stdout, 'data')
  const {url} = JSON.parse(String(line))
  const headers = {authorization: `Bearer ${readFileSync(join(dataDir, 'token'), 'utf8').trim()}`}
  const {env} = prepareCommand('claude', {...sandbox, url: server.url})
  const variables = Object.entries({...env, TERM: 'xterm-256color'}).map(
    ([name, value]) => `${name}=${value}`,
  )
  tmux(
    'new-session',
    '-d',
    '-x',
    '120',
    '-y',
    '40',
    '-c',
    sandbox.cwd,
    'env',
    '-i',
    ...variables,
    claude,
    '--permission-mode',
    'default',
  )

  /**
   * @param {string} step
   * @param {string} wanted
   */
  const expect = async (step, wanted) => {
    let seen = ''
    for (
      const end = Date.now() + TIMEOUT_MS;
      Date.now() < end && seen !== wanted;
      await delay(200)
    ) {
      const response = await fetch(`${url}/api/runs`, {headers})
      const [run] = /** @type {{runs: Run[]}} */ (await response.json()).runs
      seen = `${run?.state} ${run?.waiting?.why ?? run?.verdict}`
    }
    console.log(`${seen === wanted ? 'ok  ' : 'FAIL'} ${step}: ${seen}`)
    if (seen !== wanted) problems.push(`${step}: expected ${wanted}`)
  }
  await expect('nothing typed yet', 'idle idle')
  type('Do one thing')
  await expect('a dialog is open', 'waiting waiting-for-permission')
  // The notification of Claude Code after six seconds must not change the state.
  await delay(7000)
  await expect('a dialog is open for a while', 'waiting waiting-for-permission')
  tmux('send-keys', '1')
  await expect('the permission is granted and the command runs', 'working waiting-for-tool')
  await expect('the turn has ended', 'idle idle')
  type('Do another')
  await expect('a second dialog is open', 'waiting waiting-for-permission')
  tmux('send-keys', 'Escape')
  await expect('the permission is denied with Escape', 'idle idle')
  type('Do a long one')
  await expect('a third dialog is open', 'waiting waiting-for-permission')
  tmux('send-keys', '1')
  await expect('the long command runs', 'working waiting-for-tool')
  tmux('send-keys', 'Escape')
  await expect('the command is interrupted', 'idle idle')
  type('Explain it')
  await delay(5000)
  tmux('send-keys', 'Escape')
  await expect('the answer is interrupted', 'idle idle')
  type('/exit')
  await expect('the session has ended', 'over stopped')
} finally {
  spawnSync('tmux', ['-S', socket, 'kill-server'])
  hub.kill('SIGINT')
  await once(hub, 'exit')
  await server.close()
  sandbox.clear()
}
process.exitCode = problems.length === 0 ? 0 : 1

/** Answers the questions that Claude Code asks on its first start, and installs the hooks. */
function prepareHome() {
  const settings = join(sandbox.home, '.claude', 'settings.json')
  mkdirSync(join(sandbox.home, '.claude'), {recursive: true})
  const projects = {[sandbox.cwd]: {hasTrustDialogAccepted: true}}
  const customApiKeyResponses = {approved: ['sk-fake'], rejected: []}
  const state = {hasCompletedOnboarding: true, theme: 'dark', customApiKeyResponses, projects}
  writeFileSync(join(sandbox.home, '.claude.json'), JSON.stringify(state))
  const args = ['hooks', 'install', '--all', '--settings', settings, '--data-dir', dataDir]
  const {status, stderr} = spawnSync(process.execPath, [bin, ...args], {encoding: 'utf8'})
  if (status !== 0) throw new Error(stderr)
}

/** @param {string[]} args */
function tmux(...args) {
  const {status, stderr} = spawnSync('tmux', ['-S', socket, ...args], {encoding: 'utf8'})
  if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`)
}

/** @param {string} text */
function type(text) {
  tmux('send-keys', '-l', text)
  tmux('send-keys', 'Enter')
}
