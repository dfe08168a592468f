// The code coverage of V8, by which the fuzzer selects inputs that reach new code.

import {Session} from 'node:inspector'
import {setFlagsFromString} from 'node:v8'

/**
 * @typedef {object} Coverage
 * @property {() => Map<string, Uint8Array>} take The characters of each file that were reached since the last call.
 * @property {(taken: Map<string, Uint8Array>) => number} countNew How many of them were not reached before.
 * @property {(taken: Map<string, Uint8Array>) => void} add
 * @property {number} size How many characters were reached in total.
 * @property {() => void} close
 */

/**
 * @param {string} folder The URL of the folder whose files count.
 * @returns {Coverage}
 */
export function startCoverage(folder) {
  // V8 does not report functions whose bytecode was flushed; they would count like the code around them.
  setFlagsFromString('--no-flush-bytecode')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', {callCount: true, detailed: true})
  /** @type {Map<string, Uint8Array>} */
  const reached = new Map()
  let size = 0
  return {
    take,
    countNew(taken) {
      let count = 0
      for (const [url, painted] of taken) {
        const known = reached.get(url)
        for (let at = 0; at < painted.length; at++) {
          if (painted[at] === 1 && (known === undefined || known[at] !== 1)) count++
        }
      }
      return count
    },
    add(taken) {
      for (const [url, painted] of taken) {
        const known = grow(reached.get(url), painted.length)
        reached.set(url, known)
        for (let at = 0; at < painted.length; at++) {
          if (painted[at] !== 1 || known[at] === 1) continue
          known[at] = 1
          size++
        }
      }
    },
    get size() {
      return size
    },
    close() {
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }

  function take() {
    /** @type {Map<string, Uint8Array>} */
    const taken = new Map()
    session.post('Profiler.takePreciseCoverage', (error, found) => {
      if (error !== null) throw error
      for (const {url, functions} of found.result) {
        if (url.startsWith(folder)) taken.set(url, paint(functions))
      }
    })
    return taken
  }
}

/**
 * Ranges are nested, outer ones first, so inner ones overwrite them.
 *
 * @param {import('node:inspector').Profiler.FunctionCoverage[]} functions
 */
function paint(functions) {
  const ranges = functions.flatMap((part) => part.ranges)
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({endOffset}) => endOffset)))
  for (const {startOffset, endOffset, count} of ranges) {
    painted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  return painted
}

/**
 * @param {Uint8Array | undefined} known
 * @param {number} length
 */
function grow(known, length) {
  if (known !== undefined && known.length >= length) return known
  const grown = new Uint8Array(length)
  grown.set(known ?? [])
  return grown
}
