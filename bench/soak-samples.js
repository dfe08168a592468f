// What the system tells of processes during a soak, every few seconds, and what can be said of it afterwards.

import {readdirSync, readFileSync} from 'node:fs'
import {quantile, readMemory, readWork} from './hub-process.js'

/** At a moment in seconds: memory in MiB, open files. @typedef {{at: number, memory: number, files: number}} Sample */
/** @typedef {{pid: number, name: string, startedAt: number, samples: Sample[], work: number}} Watched */

/** @param {number} everyMs */
export function createSampler(everyMs) {
  /** @type {Set<Watched>} */
  const watched = new Set()
  const timer = setInterval(() => {
    for (const each of watched) look(each)
  }, everyMs)
  return {
    /**
     * @param {number} pid
     * @param {string} name
     * @returns {Watched}
     */
    watch(pid, name) {
      /** @type {Watched} */
      const added = {pid, name, startedAt: performance.now(), samples: [], work: 0}
      watched.add(added)
      return added
    },
    /** @param {Watched} gone */
    leave: (gone) => void watched.delete(gone),
    stop: () => clearInterval(timer),
  }
}

/** @param {Watched} process */
function look(process) {
  const memory = readMemory(process.pid)
  if (memory === 0) return
  const at = (performance.now() - process.startedAt) / 1000
  const {main, others} = readWork(process.pid)
  process.work = main + others
  process.samples.push({at, memory, files: countFiles(process.pid)})
}

/** How many files a process has open. @param {number} pid */
export function countFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

/**
 * Those processes whose environment holds a text.
 *
 * @param {string} text
 * @returns {number[]}
 */
export function findProcesses(text) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** The median of each of so many equal parts of the time. @param {readonly Sample[]} samples @param {number} parts */
export function medianOfParts(samples, parts) {
  return Array.from({length: parts}, (_, at) => {
    const from = Math.floor((at / parts) * samples.length)
    const to = Math.max(from + 1, Math.floor(((at + 1) / parts) * samples.length))
    return medianMemory(samples.slice(from, to))
  })
}

/**
 * Whether memory stays as it is: the last third of the time against the middle one.
 *
 * @param {readonly Sample[]} samples
 */
export function judgeFlat(samples) {
  const [, middle = Number.NaN, last = Number.NaN] = medianOfParts(samples, 3)
  const change = last / middle - 1
  return {middle, last, change, isFlat: Math.abs(change) <= 0.1}
}

/**
 * By how many MiB a minute memory rises: the slope of the line with the least squares.
 *
 * @param {readonly Sample[]} samples
 */
export function slopeOf(samples) {
  const count = samples.length
  const meanAt = samples.reduce((sum, {at}) => sum + at, 0) / count
  const meanMemory = samples.reduce((sum, {memory}) => sum + memory, 0) / count
  let above = 0
  let below = 0
  for (const {at, memory} of samples) {
    above += (at - meanAt) * (memory - meanMemory)
    below += (at - meanAt) ** 2
  }
  return (above / below) * 60
}

/** @param {readonly Sample[]} samples */
export function medianMemory(samples) {
  return quantile(
    samples.map(({memory}) => memory),
    0.5,
  )
}

/** @param {readonly Sample[]} samples */
export function mostMemory(samples) {
  return samples.reduce((most, {memory}) => Math.max(most, memory), 0)
}
