/** @typedef {import('./campaign.js').Input} Input */

const MAX_TRIES = 300

/**
 * Removes parts of an input as long as the outcome stays the same: lines first, then parts of lines.
 *
 * @param {Input} input
 * @param {(input: Input) => Promise<boolean>} isSame
 * @returns {Promise<Input>}
 */
export async function shrink({label, bytes}, isSame) {
  let tries = 0
  const join = (/** @type {string[]} */ parts) => ({
    label,
    bytes: Buffer.from(parts.join(''), 'latin1'),
  })
  const lines = await drop(bytes.toString('latin1').split(/(?<=\n)/))
  const isShort = lines.length <= 3
  return join(isShort ? await drop(lines.join('').split(/(?<=[,{}[\]])/)) : lines)

  /**
   * @param {string[]} parts
   * @returns {Promise<string[]>}
   */
  async function drop(parts) {
    let left = parts
    for (let size = Math.ceil(left.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < left.length && tries < MAX_TRIES;) {
        const smaller = left.toSpliced(at, size)
        tries++
        if (smaller.length > 0 && (await isSame(join(smaller)))) left = smaller
        else at += size
      }
    }
    return left
  }
}
