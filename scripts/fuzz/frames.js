// What is sent over a WebSocket, as a file: a list in JSON of texts and of bytes, in base64.

/** @typedef {import('./random.js').Random} Random */
/** @typedef {{text: string} | {bytes: string}} Sent */

const MOST_SENT = 12

/**
 * @param {readonly (string | Buffer)[]} sent
 * @returns {Buffer}
 */
export function packFrames(sent) {
  const list = sent.map((one) =>
    typeof one === 'string' ? {text: one} : {bytes: one.toString('base64')},
  )
  return Buffer.from(`[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`)
}

/**
 * @param {Buffer} packed
 * @returns {(string | Buffer)[]}
 */
export function unpackFrames(packed) {
  /** @type {Sent[]} */
  let list
  try {
    list = JSON.parse(packed.toString())
  } catch {
    return []
  }
  return list.map((one) => ('text' in one ? one.text : Buffer.from(one.bytes, 'base64')))
}

/**
 * @param {Buffer} packed
 * @param {Buffer} other
 * @param {Random} random
 * @param {(bytes: Buffer, other: Buffer, random: Random) => Buffer} mutate
 * @returns {Buffer}
 */
export function mutateFrames(packed, other, random, mutate) {
  const sent = unpackFrames(packed)
  const others = unpackFrames(other)
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(sent.length + 1)
    const one = sent[at] ?? others[random.below(others.length)] ?? ''
    const from = others[random.below(others.length)] ?? ''
    const way = random.below(10)
    if (way === 0) sent.splice(at, 1)
    else if (way === 1) sent.splice(random.below(sent.length + 1), 0, one)
    else if (way === 2) sent.splice(at, 0, from)
    // What is text may come as bytes, and the other way round.
    else if (way === 3)
      sent[at] = typeof one === 'string' ? Buffer.from(one) : one.toString('latin1')
    else {
      const made = mutate(Buffer.from(one), Buffer.from(from), random)
      sent.splice(at, 1, typeof one === 'string' ? made.toString() : made)
    }
  }
  return packFrames(sent.slice(0, MOST_SENT))
}
