// Samples memory, open files and CPU time of processes during a soak test, and evaluates them.

import {countOpenFiles, readCpuSeconds, readMemory} from '../test/support/process-stats.js'
import {quantile} from './hub-process.js'

/** Seconds since the start, memory in MiB. @typedef {{at: number, memory: number, files: number}} Sample */
/** @typedef {{pid: number, name: string, startedAt: number, samples: Sample[], cpuSeconds: number}} SampledProcess */

/** @param {number} intervalMs */
export function createSampler(intervalMs) {
  /** @type {Set<SampledProcess>} */
  const processes = new Set()
  const timer = setInterval(() => {
    for (const each of processes) addSample(each)
  }, intervalMs)
  return {
    /**
     * @param {number} pid
     * @param {string} name
     * @returns {SampledProcess}
     */
    add(pid, name) {
      /** @type {SampledProcess} */
      const added = {pid, name, startedAt: performance.now(), samples: [], cpuSeconds: 0}
      processes.add(added)
      return added
    },
    /** @param {SampledProcess} removed */
    remove: (removed) => void processes.delete(removed),
    stop: () => clearInterval(timer),
  }
}

/** @param {SampledProcess} process */
function addSample(process) {
  const memory = readMemory(process.pid)
  if (memory === 0) return
  const at = (performance.now() - process.startedAt) / 1000
  process.cpuSeconds = readCpuSeconds(process.pid)
  process.samples.push({at, memory, files: countOpenFiles(process.pid)})
}

/** The median memory of each of several equal parts of the time. @param {readonly Sample[]} samples @param {number} parts */
export function medianByPart(samples, parts) {
  return Array.from({length: parts}, (_, at) => {
    const from = Math.floor((at / parts) * samples.length)
    const to = Math.max(from + 1, Math.floor(((at + 1) / parts) * samples.length))
    return medianMemory(samples.slice(from, to))
  })
}

/**
 * Compares the memory of the last third of the time with that of the middle third.
 *
 * @param {readonly Sample[]} samples
 */
export function judgeGrowth(samples) {
  const [, middle = Number.NaN, last = Number.NaN] = medianByPart(samples, 3)
  const change = last / middle - 1
  return {middle, last, change, isFlat: Math.abs(change) <= 0.1}
}

/**
 * The growth of memory in MiB per minute, by linear regression.
 *
 * @param {readonly Sample[]} samples
 */
export function fitSlope(samples) {
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
export function peakMemory(samples) {
  return samples.reduce((peak, {memory}) => Math.max(peak, memory), 0)
}
