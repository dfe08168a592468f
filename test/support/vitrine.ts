import {spawn, spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'

/** The built program. */
export const bin: string = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

const agents = new URL('../../src/agents/', import.meta.url)

/** A recording, such as `claude/2.1.325/subagent`. */
export function fixture(name: string): string {
  const [agent, version, scenario] = name.split('/')
  return fileURLToPath(new URL(`${agent}/fixtures/${version}/${scenario}.jsonl`, agents))
}

interface VitrineOptions {
  input?: string | Uint8Array
  env?: Record<string, string>
}

/** Exit code and output of the program. */
export interface VitrineResult {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs the program and blocks until it ends. */
export function vitrine(args: string[], options: VitrineOptions = {}): VitrineResult {
  const {status, stdout, stderr} = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: environment(options),
    maxBuffer: 1024 * 1024 * 1024,
  })
  return {status, stdout, stderr}
}

/** Runs the program without blocking: several can run at once. */
export function runVitrine(args: string[], options: VitrineOptions = {}): Promise<VitrineResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {env: environment(options)})
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', reject)
    child.once('close', (status) => resolve({status, stdout, stderr}))
    // The program may end before it has read all of its stdin.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
  })
}

function environment({env}: VitrineOptions): NodeJS.ProcessEnv {
  // Sessions of the person who runs the tests must not be listed.
  return {PATH: process.env['PATH'], HOME: '/nonexistent', TZ: 'UTC', ...env}
}
