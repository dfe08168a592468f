import {createReadStream} from 'node:fs'
import {createLineDecoder} from '../../core/wire/lines.ts'

const MAX_FOUND_LINES = 1000

/**
 * Searches the lines of a file for a text, ignoring case.
 *
 * @returns The first matching lines and their total number as JSON; `null` when the client has left.
 */
export async function findLines(
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<string | null> {
  const wanted = text.toLowerCase()
  const lines: number[] = []
  let line = 0
  let total = 0
  const decoder = createLineDecoder((raw) => {
    line++
    if (!raw.toLowerCase().includes(wanted)) return
    total++
    if (lines.length < MAX_FOUND_LINES) lines.push(line)
  })
  try {
    for await (const chunk of createReadStream(path, {signal})) decoder.push(chunk as Buffer)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
  decoder.end()
  return JSON.stringify({lines, total})
}
