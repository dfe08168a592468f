// WebSocket messages as a file: a JSON list of texts and of base64 bytes.

/** @typedef {import('./random.js').Random} Random */
/** @typedef {{text: string} | {bytes: string}} PackedFrame */

const MAX_FRAMES = 12

/**
 * @param {readonly (string | Buffer)[]} frames
 * @returns {Buffer}
 */
export function packFrames(frames) {
  const list = frames.map((frame) =>
    typeof frame === 'string' ? {text: frame} : {bytes: frame.toString('base64')},
  )
  return Buffer.from(`[\n${list.map((frame) => JSON.stringify(frame)).join(',\n')}\n]\n`)
}

/**
 * @param {Buffer} packed
 * @returns {(string | Buffer)[]}
 */
export function unpackFrames(packed) {
  /** @type {PackedFrame[]} */
  let list
  try {
    list = JSON.parse(packed.toString())
  } catch {
    return []
  }
  return list.map((frame) => ('text' in frame ? frame.text : Buffer.from(frame.bytes, 'base64')))
}

/**
 * @param {Buffer} packed
 * @param {Buffer} other
 * @param {Random} random
 * @param {(bytes: Buffer, other: Buffer, random: Random) => Buffer} mutate
 * @returns {Buffer}
 */
export function mutateFrames(packed, other, random, mutate) {
  const frames = unpackFrames(packed)
  const others = unpackFrames(other)
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(frames.length + 1)
    const frame = frames[at] ?? others[random.below(others.length)] ?? ''
    const from = others[random.below(others.length)] ?? ''
    const way = random.below(10)
    if (way === 0) frames.splice(at, 1)
    else if (way === 1) frames.splice(random.below(frames.length + 1), 0, frame)
    else if (way === 2) frames.splice(at, 0, from)
    // Text becomes binary, and the other way round.
    else if (way === 3)
      frames[at] = typeof frame === 'string' ? Buffer.from(frame) : frame.toString('latin1')
    else {
      const mutated = mutate(Buffer.from(frame), Buffer.from(from), random)
      frames.splice(at, 1, typeof frame === 'string' ? mutated.toString() : mutated)
    }
  }
  return packFrames(frames.slice(0, MAX_FRAMES))
}
