import {closeSync, openSync, readSync} from 'node:fs'
import {detectAgent} from '../agents/detect-agent.ts'
import {findAgent} from '../agents/find-agent.ts'
import type {Adapter} from '../core/events/adapter.ts'
import type {FoundRecording} from './find-recording.ts'

/** So much of a file tells whose it is. */
const HEAD_BYTES = 1024 * 1024

/** Whose output a recording is, as it says itself or as it looks; `null` when nobody is known to print this. */
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
