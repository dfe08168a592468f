// Says what is wrong with a picture that is to be shown anywhere: as an image, from any server, under any policy.

const MOST_BYTES = 250_000
const ELEMENTS = /^(?:script|foreignObject|iframe|image|a|audio|video|link|import)$/i
const NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * The problems of an SVG, in words; none when it is good.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function checkSvg(text) {
  /** @type {string[]} */
  const problems = []
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_BYTES) problems.push(`${bytes} bytes are more than ${MOST_BYTES}`)
  try {
    const root = readElements(text, (name, attributes) => {
      if (ELEMENTS.test(name)) problems.push(`has the element ${name}`)
      for (const [attribute, value] of attributes) {
        if (/^on/i.test(attribute)) problems.push(`has the handler ${attribute}`)
        if (/^(?:xlink:)?href$|^src$/.test(attribute) && !value.startsWith('#')) {
          problems.push(`refers to ${value}`)
        }
      }
    })
    if (root.name !== 'svg' || root.attributes.get('xmlns') !== NAMESPACE) {
      problems.push('is no SVG')
    }
  } catch (error) {
    problems.push(`is not well-formed: ${error instanceof Error ? error.message : error}`)
  }
  const rest = text.replace(`xmlns="${NAMESPACE}"`, '')
  const outside = /(?:https?:|javascript:|data:|file:|@import|url\((?!#))[^\s"'<)]*/i.exec(rest)
  if (outside !== null) problems.push(`refers to ${outside[0]}`)
  return problems
}

const NAME = String.raw`[A-Za-z_][\w:.-]*`
const TAG = new RegExp(
  String.raw`<(/?)(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`,
  'y',
)
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'g')
const ASIDE = /<!--(?:(?!--)[^])*-->|<\?[^]*?\?>/y
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/**
 * Goes through all elements; throws where the text is no XML. It knows no document types, which a picture does not need.
 *
 * @param {string} text
 * @param {(name: string, attributes: Map<string, string>) => void} see
 */
function readElements(text, see) {
  if (FORBIDDEN.test(text)) throw new Error('a control character')
  if (REFERENCE.test(text)) throw new Error('an & that begins no reference')
  /** @type {string[]} */
  const open = []
  /** @type {{name: string, attributes: Map<string, string>} | undefined} */
  let root
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    const between = text.slice(at, next === -1 ? undefined : next)
    if (open.length === 0 && between.trim() !== '') throw new Error('text outside of the root')
    if (next === -1) break
    at = next
    const aside = matchAt(ASIDE, text, at)
    if (aside !== null) {
      at += aside[0].length
      continue
    }
    const tag = matchAt(TAG, text, at)
    if (tag === null) throw new Error(`no tag at ${at}: ${text.slice(at, at + 40)}`)
    const [whole, isEnd = '', name = '', written = '', isEmpty = ''] = tag
    at += whole.length
    if (isEnd !== '') {
      if (open.pop() !== name || written !== '') throw new Error(`an end of ${name} at ${at}`)
      continue
    }
    const attributes = readAttributes(written)
    if (open.length === 0 && root !== undefined) throw new Error('a second root')
    root ??= {name, attributes}
    see(name, attributes)
    if (isEmpty === '') open.push(name)
  }
  if (open.length > 0) throw new Error(`${open.at(-1)} has no end`)
  if (root === undefined) throw new Error('nothing in it')
  return root
}

/** @param {string} written */
function readAttributes(written) {
  /** @type {Map<string, string>} */
  const attributes = new Map()
  for (const [, name = '', double, single] of written.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`${name} twice`)
    attributes.set(name, double ?? single ?? '')
  }
  return attributes
}

/**
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} at
 */
function matchAt(pattern, text, at) {
  pattern.lastIndex = at
  return pattern.exec(text)
}
