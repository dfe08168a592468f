// Figures of processes from /proc. They are 0 where /proc is missing and for processes that have ended.

import {readdirSync, readFileSync} from 'node:fs'

/** Clock ticks per second in /proc/<pid>/stat. */
const TICKS_PER_SECOND = 100

/**
 * The resident memory of a process in MiB.
 *
 * @param {number} pid
 * @param {'VmRSS' | 'VmHWM'} figure The current value, or the peak.
 */
export function readMemory(pid, figure = 'VmRSS') {
  const status = readText(`/proc/${pid}/status`)
  return Number(new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}

/**
 * The CPU time of a process in seconds.
 *
 * @param {number} pid
 */
export function readCpuSeconds(pid) {
  return parseCpuSeconds(readText(`/proc/${pid}/stat`))
}

/**
 * The CPU time of the main thread and of all other threads of a process, in seconds.
 *
 * @param {number} pid
 */
export function readThreadCpuSeconds(pid) {
  let main = 0
  let others = 0
  for (const id of listNames(`/proc/${pid}/task`)) {
    const seconds = parseCpuSeconds(readText(`/proc/${pid}/task/${id}/stat`))
    if (id === String(pid)) main += seconds
    else others += seconds
  }
  return {main, others}
}

/** @param {number} pid */
export function countOpenFiles(pid) {
  return listNames(`/proc/${pid}/fd`).length
}

/** The inotify watches of this process. */
export function countWatches() {
  const lines = listNames('/proc/self/fdinfo').flatMap((name) =>
    readText(`/proc/self/fdinfo/${name}`).split('\n'),
  )
  return lines.filter((line) => line.startsWith('inotify ')).length
}

/**
 * The command line of a process, joined by spaces.
 *
 * @param {number} pid
 */
export function readCommand(pid) {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

export function listPids() {
  return listNames('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/**
 * The processes that have a variable in their environment.
 *
 * @param {string} variable Such as `NAME=value`.
 */
export function findProcessesByEnv(variable) {
  return listPids().filter((pid) => readText(`/proc/${pid}/environ`).split('\0').includes(variable))
}

/** @param {string} stat */
function parseCpuSeconds(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND
}

/** @param {string} path */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} path */
function listNames(path) {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
