#!/usr/bin/env node
// Prints the files STDOUT_FILE and STDERR_FILE, then exits with EXIT or kills its own process with SIGNAL.

import {readFileSync, writeSync} from 'node:fs'
import {hang, number, write} from './lines.js'

const {STDOUT_FILE, STDERR_FILE, SIGNAL} = process.env
if (STDERR_FILE !== undefined) writeSync(2, readFileSync(STDERR_FILE))
if (STDOUT_FILE !== undefined) write(readFileSync(STDOUT_FILE))
if (SIGNAL === undefined) process.exit(number('EXIT', 0))
process.kill(process.pid, SIGNAL)
hang()
