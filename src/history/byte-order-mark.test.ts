import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {createHome, removeHome, scanHome, translateSession} from '../../test/support/transcripts.ts'
import {claudeTranscripts} from '../agents/claude/transcript.ts'
import {transcriptFormats} from '../agents/transcripts.ts'
import {discoverTranscripts} from './discover.ts'
import {openSessionReader} from './session-reader.ts'
import {pathOf} from './transcripts.ts'

// Some Windows tools begin a file with it.
const BYTE_ORDER_MARK = '\uFEFF'

test('reads the first record of a file, and keeps its text', () => {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-mark-'))
  const folder = join(home, '.claude', 'projects', '-p')
  const row = {type: 'user', message: {role: 'user', content: 'Hello'}, cwd: '/p'}
  const text = `${BYTE_ORDER_MARK}${JSON.stringify(row)}\n`
  try {
    mkdirSync(folder, {recursive: true})
    writeFileSync(join(folder, 'one.jsonl'), text)
    expect(scanHome(claudeTranscripts, home)).toMatchObject([{prompt: 'Hello', cwd: '/p'}])
    const {transcripts} = discoverTranscripts([claudeTranscripts], {home, env: {}})
    const reader = openSessionReader(transcripts)
    expect(reader.next()).toMatchObject({raw: text, value: row})
    reader.close()
  } finally {
    rmSync(home, {recursive: true, force: true})
  }
})

const formats = transcriptFormats.filter(({listSessions}) => listSessions === undefined)

test.each(formats)('finds the same sessions of $agent', (format) => {
  const home = createHome(format.agent)
  try {
    const read = () =>
      scanHome(format, home).map((session) => {
        const {sessionId, title, prompt, cwd, requests} = session
        const {events} = translateSession(session)
        return {sessionId, title, prompt, cwd, requests, events: events.map(({type}) => type)}
      })
    const before = read()
    for (const transcript of discoverTranscripts([format], {home, env: {}}).transcripts) {
      if (transcript.file.compression !== undefined) continue
      const path = pathOf(transcript)
      writeFileSync(path, BYTE_ORDER_MARK + readFileSync(path, 'utf8'))
    }
    expect(read()).toEqual(before)
  } finally {
    removeHome(home)
  }
})
