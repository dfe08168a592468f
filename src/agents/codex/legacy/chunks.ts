/** Decodes the output of commands in chunks. */
export interface ChunkDecoder {
  /** The text of the next chunk, which is base64. */
  decode(toolId: string, stream: string, chunk: string): string
  /** The command ended. */
  clear(toolId: string): void
}

/** Creates a decoder. A character may be split between two chunks of the same stream. */
export function createChunkDecoder(): ChunkDecoder {
  const commands = new Map<string, Map<string, Utf8Decoder>>()
  return {
    decode(toolId, stream, chunk) {
      const streams = commands.get(toolId) ?? new Map<string, Utf8Decoder>()
      const decoder = streams.get(stream) ?? new TextDecoder('utf-8', {ignoreBOM: true})
      commands.set(toolId, streams.set(stream, decoder))
      return decoder.decode(toBytes(chunk), {stream: true})
    },
    clear: (toolId) => void commands.delete(toolId),
  }
}

function toBytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

type Utf8Decoder = InstanceType<typeof TextDecoder>
