/** Whether this browser can decompress the data of the page. */
export function canUnpack(): boolean {
  return typeof DecompressionStream === 'function'
}

/** Reads a data block of the page: JSON, gzipped, in base64. */
export async function unpack<T>(block: Element): Promise<T> {
  const stream = new Blob([decodeBase64(block.textContent)])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as T
}

/** A loop, because the data may have many megabytes. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text)
  const bytes = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at)
  return bytes
}
