import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {readHistory} from '../../src/history/history.ts'
import type {Entry} from '../../src/history/entries.ts'
import type {Machine} from '../../src/core/events/transcript.ts'

/** A home folder with sessions of Claude Code that a test writes. */
export interface SessionPlace {
  home: string
  dataDir: string
  /** Writes a session, or adds rows to it. */
  write(sessionId: string, ...rows: object[]): void
  pathOf(sessionId: string): string
  /** The runs and sessions, as they are now. */
  read(): Promise<Entry[]>
  clear(): void
}

export const START: number = Date.parse('2026-11-16T10:00:00.000Z')

/** Creates a home folder without sessions. */
export function createSessionPlace(): SessionPlace {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-search-'))
  const dataDir = join(home, 'data')
  const machine: Machine = {home, env: {}}
  const pathOf = (sessionId: string) =>
    join(home, '.claude/projects/-home-dev-shop', `${sessionId}.jsonl`)
  return {
    home,
    dataDir,
    pathOf,
    write(sessionId, ...rows) {
      mkdirSync(dirname(pathOf(sessionId)), {recursive: true})
      for (const row of rows) {
        appendFileSync(pathOf(sessionId), `${JSON.stringify({sessionId, ...row})}\n`)
      }
    },
    read: async () => (await readHistory({dataDir, machine})).entries,
    clear: () => rmSync(home, {recursive: true, force: true}),
  }
}

/** A prompt, some seconds after the start. */
export function promptRow(second: number, text: string, cwd = '/home/dev/shop'): object {
  return {...rowAt(second), type: 'user', cwd, message: {role: 'user', content: text}}
}

/** An answer with a text, or with calls of tools. */
export function answerRow(second: number, ...content: (string | object)[]): object {
  const blocks = content.map((block) =>
    typeof block === 'string'
      ? {type: 'text', text: block}
      : Object.assign({type: 'tool_use'}, block),
  )
  const message = {
    id: `msg_${second}`,
    role: 'assistant',
    model: 'claude-opus-4-8',
    content: blocks,
    usage: {input_tokens: 1, output_tokens: 1},
  }
  return {...rowAt(second), type: 'assistant', requestId: `req_${second}`, message}
}

/** The result of a tool. */
export function resultRow(second: number, id: string, content: string, isError = false): object {
  const block = {type: 'tool_result', tool_use_id: id, content, is_error: isError}
  return {...rowAt(second), type: 'user', message: {role: 'user', content: [block]}}
}

function rowAt(second: number): object {
  const timestamp = new Date(START + second * 1000).toISOString()
  return {uuid: `row-${second}`, timestamp, version: '2.1.325', isSidechain: false}
}

/** Damages a file so that it is not a database any more. */
export function damage(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, {force: true})
  writeFileSync(path, 'This is no database. '.repeat(1000))
}
