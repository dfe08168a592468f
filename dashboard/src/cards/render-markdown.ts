import createPurifier from 'dompurify'
import {Lexer, Parser, Renderer, Tokenizer, type MarkedToken, type Token} from 'marked'
import {limitNesting} from './limit-nesting.ts'
import {describeLink} from './describe-link.ts'

/** Limits of text, nodes and time; text beyond them is rendered plain. */
const MOST_INLINE = 4000
const MOST_PIECES = 4000
const MOST_TIME_MS = 40
/** Tables are the slowest to lay out. */
const MOST_COLUMNS = 50
const MOST_CELLS = 1000

/**
 * Renders Markdown as inert elements: HTML in it is text, pictures are only named, and links lead to the web or to
 * mail. Throws when it cannot be parsed.
 */
export function renderMarkdown(text: string): DocumentFragment {
  const html = new Parser({renderer: createRenderer()}).parse(readTokens(limitNesting(text)))
  const box = inert.createElement('div')
  box.innerHTML = html
  createPurifier.sanitize(box, {
    IN_PLACE: true,
    ALLOWED_TAGS,
    ALLOWED_ATTR: ['href', 'start'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  })
  for (const link of box.querySelectorAll('a')) {
    link.rel = 'noreferrer noopener'
    link.target = '_blank'
  }
  const fragment = inert.createDocumentFragment()
  fragment.append(...box.childNodes)
  return fragment
}

/** A document in which nothing runs or loads; shared, because creating one is slow. */
const inert = document.implementation.createHTMLDocument('')

const ALLOWED_TAGS =
  'a b blockquote br code del div em hr li ol p pre small strong table tbody td th thead tr u ul'.split(
    ' ',
  )

function readTokens(text: string): Token[] {
  const tokenizer = new Tokenizer()
  // HTML is not parsed, so it stays text.
  tokenizer.html = () => undefined
  tokenizer.tag = () => undefined
  const lexer = new Lexer({gfm: true, breaks: true, tokenizer})
  lexer.blockTokens(text, lexer.tokens)
  const end = performance.now() + MOST_TIME_MS
  let pieces = 0
  for (const {src, tokens} of lexer.inlineQueue) {
    if (src.length > MOST_INLINE || pieces > MOST_PIECES || performance.now() > end) {
      tokens.push({type: 'text', raw: src, text: src, escaped: false})
    } else {
      lexer.inlineTokens(src, tokens)
    }
    pieces += tokens.length
  }
  return lexer.tokens
}

function createRenderer(): Renderer {
  const renderer = new Renderer()
  renderer.html = ({raw}) => escapeHtml(raw)
  renderer.image = ({text}) => `<u>image: ${escapeHtml(text)} (not loaded)</u>`
  renderer.code = ({text}) => `<pre><code>${escapeHtml(text)}</code></pre>`
  renderer.codespan = ({text}) => `<code>${escapeHtml(text)}</code>`
  renderer.checkbox = ({checked}) => (checked ? '☑ ' : '☐ ')
  // Not a heading element: the page has its own heading structure.
  renderer.heading = ({tokens}) => `<p><b>${renderer.parser.parseInline(tokens)}</b></p>`
  renderer.link = ({href, text, tokens}) => {
    const {url, host} = describeLink(href, text)
    const label = renderer.parser.parseInline(tokens)
    if (url === undefined) return label
    const note = host === undefined ? '' : ` <small>(${escapeHtml(host)})</small>`
    return `<a href="${escapeHtml(url)}">${label}</a>${note}`
  }
  const {table} = renderer
  renderer.table = (token) =>
    token.header.length > MOST_COLUMNS || token.header.length * token.rows.length > MOST_CELLS
      ? renderer.code({...token, type: 'code', text: token.raw})
      : `<div>${table.call(renderer, token)}</div>`
  renderer.text = (token: MarkedToken) =>
    'tokens' in token && token.tokens !== undefined && token.type === 'text'
      ? renderer.parser.parseInline(token.tokens)
      : escapeHtml('text' in token ? token.text : token.raw, true)
  return renderer
}

/** Escapes text and attributes; entities are kept where allowed. */
function escapeHtml(text: string, hasEntities = false): string {
  return text.replaceAll(
    hasEntities ? /[<>"']|&(?!#?\w{1,32};)/g : /[<>"'&]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  )
}
