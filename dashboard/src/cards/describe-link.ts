/** The target of a link, and a warning about it. */
export interface LinkTarget {
  /** Undefined where the target is not allowed. */
  url: string | undefined
  /** The host or address, if the link text does not contain it. */
  host: string | undefined
}

/** Checks a link: only web and mail links are allowed, and their text must not hide the target. */
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
