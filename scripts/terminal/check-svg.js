// Checks that an SVG can be shown everywhere: as an image, from any server, under any content security policy.

const MAX_BYTES = 250_000
const FORBIDDEN_ELEMENTS = /^(?:script|foreignObject|iframe|image|a|audio|video|link|import)$/i
const NAMESPACE = 'http://www.w3.org/2000/svg'

/**
 * Describes the problems of an SVG.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function checkSvg(text) {
  /** @type {string[]} */
  const problems = []
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_BYTES) problems.push(`has ${bytes} bytes, expected at most ${MAX_BYTES}`)
  try {
    const root = readElements(text, (name, attributes) => {
      if (FORBIDDEN_ELEMENTS.test(name)) problems.push(`has the element ${name}`)
      for (const [attribute, value] of attributes) {
        if (/^on/i.test(attribute)) problems.push(`has the handler ${attribute}`)
        if (/^(?:xlink:)?href$|^src$/.test(attribute) && !value.startsWith('#')) {
          problems.push(`refers to ${value}`)
        }
      }
    })
    if (root.name !== 'svg' || root.attributes.get('xmlns') !== NAMESPACE) {
      problems.push('is not an SVG')
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
const COMMENT_OR_INSTRUCTION = /<!--(?:(?!--)[^])*-->|<\?[^]*?\?>/y
const REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/**
 * Visits all elements and throws if the text is not well-formed XML. Document types are not supported.
 *
 * @param {string} text
 * @param {(name: string, attributes: Map<string, string>) => void} visit
 */
function readElements(text, visit) {
  if (FORBIDDEN.test(text)) throw new Error('it has a control character')
  if (REFERENCE.test(text)) throw new Error('it has an unescaped &')
  /** @type {string[]} */
  const open = []
  /** @type {{name: string, attributes: Map<string, string>} | undefined} */
  let root
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    const between = text.slice(at, next === -1 ? undefined : next)
    if (open.length === 0 && between.trim() !== '')
      throw new Error('it has text outside of the root')
    if (next === -1) break
    at = next
    const skipped = matchAt(COMMENT_OR_INSTRUCTION, text, at)
    if (skipped !== null) {
      at += skipped[0].length
      continue
    }
    const tag = matchAt(TAG, text, at)
    if (tag === null) throw new Error(`no tag at ${at}: ${text.slice(at, at + 40)}`)
    const [source, isEnd = '', name = '', attributeText = '', isEmpty = ''] = tag
    at += source.length
    if (isEnd !== '') {
      if (open.pop() !== name || attributeText !== '') {
        throw new Error(`unexpected end of ${name} at ${at}`)
      }
      continue
    }
    const attributes = readAttributes(attributeText)
    if (open.length === 0 && root !== undefined) throw new Error('it has a second root')
    root ??= {name, attributes}
    visit(name, attributes)
    if (isEmpty === '') open.push(name)
  }
  if (open.length > 0) throw new Error(`${open.at(-1)} has no end`)
  if (root === undefined) throw new Error('it has no element')
  return root
}

/** @param {string} text */
function readAttributes(text) {
  /** @type {Map<string, string>} */
  const attributes = new Map()
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new Error(`duplicate attribute ${name}`)
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
