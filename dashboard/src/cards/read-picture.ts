/** A picture that can be shown. */
export interface Picture {
  mediaType: PictureType
  width: number
  height: number
  bytes: number
}

/** Picture formats without active content. */
type PictureType = 'image/gif' | 'image/jpeg' | 'image/png' | 'image/webp'

const MOST_BYTES = 10_000_000
const MOST_PIXELS = 50_000_000
/** How many bytes of a JPEG are searched for its size. */
const MOST_HEAD = 256_000

/** The type and size of a base64 picture, by its own bytes; undefined when it is invalid or too large to decode. */
export function readPicture(base64: string): Picture | undefined {
  const bytes =
    Math.floor((base64.length * 3) / 4) - (/=*$/.exec(base64.slice(-2))?.[0].length ?? 0)
  if (bytes < 16 || bytes > MOST_BYTES || !BASE64.test(base64)) return undefined
  const head = decodeHead(base64)
  const size = readPng(head) ?? readGif(head) ?? readWebp(head) ?? readJpeg(head)
  if (size === undefined || size.width === 0 || size.height === 0) return undefined
  return size.width * size.height > MOST_PIXELS ? undefined : {...size, bytes}
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

type Size = Omit<Picture, 'bytes'>

function decodeHead(base64: string): Uint8Array {
  const text = atob(base64.slice(0, Math.min(MOST_HEAD, base64.length - (base64.length % 4))))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function startsWith(head: Uint8Array, at: number, text: string): boolean {
  return Array.from(text).every((character, index) => head[at + index] === character.charCodeAt(0))
}

function big(head: Uint8Array, at: number, length: number): number {
  return head.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0)
}

function little(head: Uint8Array, at: number, length: number): number {
  return head.subarray(at, at + length).reduceRight((sum, byte) => sum * 256 + byte, 0)
}

function readPng(head: Uint8Array): Size | undefined {
  if (!startsWith(head, 0, '\x89PNG\r\n\x1a\n') || !startsWith(head, 12, 'IHDR')) return undefined
  return {mediaType: 'image/png', width: big(head, 16, 4), height: big(head, 20, 4)}
}

function readGif(head: Uint8Array): Size | undefined {
  if (!startsWith(head, 0, 'GIF8')) return undefined
  return {mediaType: 'image/gif', width: little(head, 6, 2), height: little(head, 8, 2)}
}

function readWebp(head: Uint8Array): Size | undefined {
  if (!startsWith(head, 0, 'RIFF') || !startsWith(head, 8, 'WEBP')) return undefined
  const mediaType = 'image/webp'
  if (startsWith(head, 12, 'VP8X')) {
    return {mediaType, width: little(head, 24, 3) + 1, height: little(head, 27, 3) + 1}
  }
  if (startsWith(head, 12, 'VP8L')) {
    const bits = little(head, 21, 4)
    return {mediaType, width: (bits % 0x4000) + 1, height: (Math.floor(bits / 0x4000) % 0x4000) + 1}
  }
  if (!startsWith(head, 12, 'VP8 ')) return undefined
  return {mediaType, width: little(head, 26, 2) % 0x4000, height: little(head, 28, 2) % 0x4000}
}

function readJpeg(head: Uint8Array): Size | undefined {
  if (head[0] !== 0xff || head[1] !== 0xd8) return undefined
  let at = 2
  while (at + 9 < head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) {
      return {mediaType: 'image/jpeg', height: big(head, at + 5, 2), width: big(head, at + 7, 2)}
    }
    at += marker === 0xff ? 1 : 2 + big(head, at + 2, 2)
  }
  return undefined
}
