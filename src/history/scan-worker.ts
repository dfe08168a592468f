// A second thread for the first scan: it scans the transcripts that the main thread has not taken.

import {parentPort} from 'node:worker_threads'
import {transcriptFormats} from '../agents/transcripts.ts'
import {scanShared} from './scan-all.ts'
import type {ScanOrder} from './scan-thread.ts'
import {createChange, decodeChanges} from './store-records.ts'
import {keyOf} from './transcripts.ts'

parentPort?.once('message', ({transcripts, before, counter}: ScanOrder) => {
  const {scans} = decodeChanges(before)
  const jobs = transcripts.map(({agent, ...transcript}) => {
    const format = transcriptFormats.find((known) => known.agent === agent)
    if (format === undefined) return {transcript: undefined}
    const known = {...transcript, format}
    return {transcript: known, before: scans.get(keyOf(known))}
  })
  const change = createChange()
  scanShared(jobs, new Int32Array(counter), change)
  const bytes = change.encode()
  parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
})
