/** Where a link of an agent leads, and what has to be said of it. */
export interface LinkTarget {
  /** Undefined where it leads nowhere a link may lead to. */
  url: string | undefined
  /** The host or address, where the words of the link do not say it. */
  host: string | undefined
}

/** Looks at a link: only the web and mail are allowed, and its words may not hide where it leads. */
export function describeLink(href: string, words: string): LinkTarget {
  if (href.length > 2000 || !URL.canParse(href)) return {url: undefined, host: undefined}
  const url = new URL(href)
  if (!PROTOCOLS.has(url.protocol)) return {url: undefined, host: undefined}
  const place = url.protocol === 'mailto:' ? url.pathname : url.host
  const isSaid = url.username === '' && bareName(words) === bareName(url.href)
  return {url: url.href, host: isSaid ? undefined : place}
}

const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

function bareName(text: string): string {
  return text
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, '')
    .replace(/\/$/, '')
}
