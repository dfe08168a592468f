import {mkdirSync} from 'node:fs'
import {pathToFileURL} from 'node:url'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import {findAgent} from '../../src/agents/find-agent.ts'
import {assistantText, init, result, toolResult, toolUse, toStream} from '../fake-agents/lines.js'
import {OVER, writeRecording} from './recording.ts'
import {until, type Ended, type Place} from './run.ts'

/** Output of a tool that is longer than the feed shows at once. */
export const LONG_OUTPUT: string = Array.from(
  {length: 400},
  (_, at) => `line ${at} of a long output`,
).join('\n')

/** Writes the recording of a finished run of Claude. */
export function writeFinishedRun(
  place: Place,
  id: string,
  records: readonly (object | string)[],
  prompt = 'Do it',
): void {
  const stream = toStream(records)
  const dir = place.dirOf(id)
  mkdirSync(dir, {recursive: true})
  writeRecording(dir, findAgent('claude'), stream, [Buffer.byteLength(stream)], {
    runId: id,
    argv: ['claude', '-p', prompt],
    prompt,
    ...OVER,
  })
}

/** Writes a run with text, code, a long output and an edit, and exports it to `tools.html`. */
export async function exportTools(place: Place): Promise<void> {
  writeFinishedRun(place, 'tools', [
    init(),
    assistantText('I look at it *first*.\n\n```ts\nconst one: number = 1\n```'),
    toolUse('t1', 'Bash', {command: 'npm test'}),
    toolResult('t1', LONG_OUTPUT),
    toolUse('t2', 'Edit', {file_path: '/a/b.ts', old_string: 'one', new_string: 'two'}),
    toolResult('t2', 'The file /a/b.ts has been updated.'),
    assistantText('That was it.'),
    result('All done.'),
  ])
  const {exitCode, stderr} = await place.vitrine(['export', 'tools'])
  if (exitCode !== 0) throw new Error(`export failed: ${stderr}`)
}

/** Exports a live run in the middle of a tool to `going.html`. */
export async function exportGoing(place: Place): Promise<Ended> {
  const {child, ended} = place.startFake('tool-hangs', ['--id', 'going'])
  // An export ends at the last recorded time, which is written after the bytes.
  await until(() => {
    const stdout = place.read('going', 'stdout')
    const isTimed = place.read('going', 'timing.ndjson').includes(`"out",${stdout.length}]`)
    return isTimed && stdout.includes('tool_use')
  })
  const exported = await place.vitrine(['export', 'going'])
  child.kill('SIGINT')
  await ended
  if (exported.exitCode !== 0) throw new Error(`export failed: ${exported.stderr}`)
  return exported
}

/** Exports a run with more records than are exported in full by default to `big.html`. */
export async function exportBig(place: Place): Promise<Ended> {
  const tools = Array.from({length: 200}, (_, at) => [
    toolUse(`t${at}`, 'Bash', {command: `echo ${at}`}),
    toolResult(`t${at}`, 'x'.repeat(60_000)),
  ])
  writeFinishedRun(place, 'big', [init(), ...tools.flat(), result('All done.')])
  return place.vitrine(['export', 'big'])
}

/** An exported page in a browser without network. */
export interface ExportPage {
  page: Page
  context: BrowserContext
  /** Closes it and returns requests, errors, policy violations, dialogs and console output. */
  close(): Promise<string[]>
}

/** Opens an exported file. */
export async function openExport(
  browser: Browser | undefined,
  path: string,
  {query = '', theme = 'light' as 'light' | 'dark', initScript = '', hasClock = false} = {},
): Promise<ExportPage> {
  if (browser === undefined) throw new Error('there is no browser')
  const url = pathToFileURL(path).href
  const problems: string[] = []
  const context = await browser.newContext({colorScheme: theme})
  context.setDefaultTimeout(20_000)
  await context.setOffline(true)
  const page = await context.newPage()
  page.on('request', (request) => {
    if (request.url().split('?')[0] !== url) problems.push(`request ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() !== 'log') problems.push(`${message.type()} ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error ${error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript(`${initScript}
    addEventListener('securitypolicyviolation', (event) => {
      console.error('policy', event.violatedDirective, event.blockedURI)
    })`)
  if (hasClock) await page.clock.install()
  await page.goto(`${url}${query}`)
  return {
    page,
    context,
    async close() {
      if ((await page.evaluate('window.hacked')) !== undefined) problems.push('hacked')
      await context.close()
      return problems
    },
  }
}
