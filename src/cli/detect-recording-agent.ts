import {closeSync, openSync, readSync} from 'node:fs'
import {detectAgent} from '../agents/detect-agent.ts'
import {findAgent} from '../agents/find-agent.ts'
import type {Adapter} from '../core/events/adapter.ts'
import type {FoundRecording} from './find-recording.ts'

/** The agent is detected from this much of the output. */
const HEAD_BYTES = 1024 * 1024

/** Finds the agent of a recording by its record or its output; `null` when it is unknown. */
export function detectRecordingAgent({stdout, record}: FoundRecording): Adapter | null {
  const named = findAgent(record?.agent ?? '')
  if (named !== null) return named
  const head = Buffer.alloc(HEAD_BYTES)
  const file = openSync(stdout, 'r')
  try {
    const size = readSync(file, head)
    return findAgent(detectAgent(head.toString('utf8', 0, size)) ?? '')
  } finally {
    closeSync(file)
  }
}
