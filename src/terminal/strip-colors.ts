/** Select graphic rendition: sequences that set colours and styles. */
// oxlint-disable-next-line no-control-regex -- matches control characters
const SGR = /(?:\u001b\[|\u009b)[\d:;]*m/g

/** Removes colours from the output of a command; other control characters remain. */
export function stripColors(text: string): string {
  return text.replaceAll(SGR, '')
}
