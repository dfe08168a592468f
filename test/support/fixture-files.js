import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/**
 * The captured output of an agent. A name is such as `0.166.0/shell_ok`.
 *
 * @param {string} agent
 * @returns {{name: string, path: string}[]}
 */
export function listFixtureFiles(agent) {
  const folder = fileURLToPath(new URL(`../../src/agents/${agent}/fixtures/`, import.meta.url))
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.jsonl') && !file.endsWith('.stdin.jsonl'))
    .toSorted()
    .map((file) => ({
      name: file.replaceAll('\\', '/').replace(/\.jsonl$/, ''),
      path: join(folder, file),
    }))
}
