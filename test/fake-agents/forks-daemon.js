#!/usr/bin/env node
// Leaves a process behind: in a session of its own, deaf to polite signals, its id in the file PID_FILE.

import {spawn} from 'node:child_process'
import {existsSync, renameSync, writeFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {hang, init, print, result, says, sleep} from './lines.js'

const file = process.env['PID_FILE'] ?? 'daemon.pid'
if (process.argv[2] === 'daemon') {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  writeFileSync(`${file}.new`, String(process.pid))
  renameSync(`${file}.new`, file)
  hang()
} else {
  print(init(), says('Starting a server.'))
  // The streams stay open in it, as they do with `server &` in a shell.
  const args = [fileURLToPath(import.meta.url), 'daemon']
  spawn(process.execPath, args, {detached: true, stdio: 'inherit'}).unref()
  while (!existsSync(file)) await sleep(10)
  print(result('The server runs.'))
}
