/** Whether this browser can read what is packed in the page. */
export function canUnpack(): boolean {
  return typeof DecompressionStream === 'function'
}

/** Reads a block of data in the page: JSON, gzipped, in base64. */
export async function unpack<T>(block: Element): Promise<T> {
  const packed = Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as T
}
