#!/usr/bin/env node
// Leaves a process behind that has its own session, ignores SIGTERM and writes its pid to PID_FILE.

import {spawn} from 'node:child_process'
import {existsSync, renameSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {assistantText, hang, init, print, result, sleep} from './lines.js'

const file = process.env['PID_FILE'] ?? 'daemon.pid'
if (process.argv[2] === 'daemon') {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  writeFileSync(`${file}.new`, String(process.pid))
  renameSync(`${file}.new`, file)
  hang()
} else {
  print(init(), assistantText('Starting a server.'))
  // It inherits the streams, as with `server &` in a shell.
  const args = [fileURLToPath(import.meta.url), 'daemon']
  spawn(process.execPath, args, {detached: true, stdio: 'inherit'}).unref()
  while (!existsSync(file)) await sleep(10)
  print(result('The server runs.'))
}
