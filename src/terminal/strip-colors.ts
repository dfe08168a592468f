/** Select graphic rendition: what sets colours and styles, and nothing else. */
// oxlint-disable-next-line no-control-regex -- it is about them
const SGR = /(?:\u001b\[|\u009b)[\d:;]*m/g

/** Leaves out the colours that a command printed; what is left is as harmful as before. */
export function stripColors(text: string): string {
  return text.replaceAll(SGR, '')
}
