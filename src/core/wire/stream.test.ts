import {once} from 'node:events'
import {createReadStream} from 'node:fs'
import {PassThrough, Readable} from 'node:stream'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {createLineDecoder, type Chunk} from './lines.ts'
import {decodeStream, DecoderStream, type Source} from './stream.ts'

const lines = () => createLineDecoder((raw) => raw)
const encoder = new TextEncoder()

async function collect(
  source: Source,
  signal?: AbortSignal,
): Promise<{got: string[]; error?: unknown}> {
  const got: string[] = []
  try {
    for await (const line of decodeStream(source, lines(), {signal})) got.push(line)
  } catch (error) {
    return {got, error}
  }
  return {got}
}

async function* failing(): AsyncGenerator<Chunk> {
  yield 'one\nha'
  yield 'lf'
  throw new Error('disk on fire')
}

/** A source that hangs after its first chunk. */
function hanging(): {source: AsyncIterable<Chunk>; closed: () => boolean} {
  let closed = false
  const source = {
    [Symbol.asyncIterator]: () => {
      let first = true
      return {
        next: async (): Promise<IteratorResult<Chunk>> => {
          if (!first) await new Promise(() => {})
          first = false
          return {done: false, value: 'one\ntw'}
        },
        return: async () => {
          closed = true
          return {done: true as const, value: undefined}
        },
      }
    },
  }
  return {source, closed: () => closed}
}

describe('a source', () => {
  const parts = ['a\n', 'b', '\nc']

  test.each<[string, () => Source]>([
    ['a Node stream of bytes', () => Readable.from(parts.map((part) => Buffer.from(part)))],
    ['a Node stream of strings', () => Readable.from(parts)],
    ['a Web stream of bytes', () => new Blob(parts).stream()],
    ['a Web stream of strings', () => ReadableStream.from(parts)],
    ['an array', () => parts],
    [
      'a generator',
      () =>
        (function* () {
          yield* parts
        })(),
    ],
    [
      'an async generator',
      () =>
        (async function* () {
          yield* parts
        })(),
    ],
    ['a string', () => parts.join('')],
    ['bytes', () => encoder.encode(parts.join(''))],
    ['a buffer', () => Buffer.from(parts.join(''))],
  ])('may be %s', async (_, open) => {
    expect(await collect(open())).toEqual({got: ['a\n', 'b\n', 'c']})
  })

  test('may be a file', async () => {
    const path = fileURLToPath(import.meta.url)
    const {got} = await collect(createReadStream(path, {highWaterMark: 7}))
    expect(got[0]).toBe("import {once} from 'node:events'\n")
  })

  test('may be empty', async () => {
    expect(await collect([])).toEqual({got: []})
  })

  test('is unlocked at the end when it is a Web stream', async () => {
    const complete = new Blob(['a\n']).stream()
    await collect(complete)
    expect(complete.locked).toBe(false)
    const left = new Blob(['a\nb\n']).stream()
    for await (const line of decodeStream(left, lines())) {
      expect(line).toBe('a\n')
      break
    }
    expect(left.locked).toBe(false)
  })

  test('emits everything before its error, then throws once', async () => {
    const stream = decodeStream(failing(), lines())
    expect(await stream.next()).toEqual({done: false, value: 'one\n'})
    expect(await stream.next()).toEqual({done: false, value: 'half'})
    await expect(stream.next()).rejects.toThrow('disk on fire')
    expect(await stream.next()).toEqual({done: true, value: undefined})
  })

  test('emits everything before its error when it is a Node stream', async () => {
    const source = Readable.from(failing(), {objectMode: false})
    expect(await collect(source)).toEqual({
      got: ['one\n', 'half'],
      error: new Error('disk on fire'),
    })
  })

  test('emits everything before its error when it is a Web stream', async () => {
    expect(await collect(ReadableStream.from(failing()))).toEqual({
      got: ['one\n', 'half'],
      error: new Error('disk on fire'),
    })
  })

  test('emits everything before its error when it is an iterator', async () => {
    const source = (function* (): Generator<Chunk> {
      yield 'one\nhalf'
      throw new Error('bad luck')
    })()
    expect(await collect(source)).toEqual({got: ['one\n', 'half'], error: new Error('bad luck')})
  })

  test('throws a TypeError when a Web stream has an undefined chunk', async () => {
    const source = ReadableStream.from(['a\n', undefined, 'b\n']) as ReadableStream<string>
    const {got, error} = await collect(source)
    expect(got).toEqual(['a\n'])
    expect(error).toBeInstanceOf(TypeError)
  })

  test('throws a TypeError in object mode', async () => {
    const {error} = await collect(Readable.from([{type: 'system'}]))
    expect(error).toEqual(
      new TypeError(
        'expected a chunk of type string or Uint8Array, got object. Is the stream in object mode?',
      ),
    )
  })
})

describe('leaving the loop', () => {
  test('closes a Node stream', async () => {
    const source = new PassThrough()
    source.write('a\nb\n')
    for await (const line of decodeStream(source, lines())) {
      expect(line).toBe('a\n')
      break
    }
    expect(source.destroyed).toBe(true)
  })

  test('cancels a Web stream', async () => {
    let reason: unknown = 'not cancelled'
    const source = new ReadableStream<string>({
      pull: (controller) => controller.enqueue('a\n'),
      cancel: (why) => {
        reason = why
      },
    })
    for await (const line of decodeStream(source, lines())) {
      expect(line).toBe('a\n')
      break
    }
    expect(reason).toBeUndefined()
  })

  test('closes a generator', async () => {
    let closed = false
    const source = (function* (): Generator<Chunk> {
      try {
        yield 'a\n'
        yield 'b\n'
      } finally {
        closed = true
      }
    })()
    for await (const line of decodeStream(source, lines())) {
      expect(line).toBe('a\n')
      break
    }
    expect(closed).toBe(true)
  })

  test('waits until an async generator has cleaned up', async () => {
    let closed = false
    const source = (async function* (): AsyncGenerator<Chunk> {
      try {
        yield 'a\n'
      } finally {
        await sleep(5)
        closed = true
      }
    })()
    for await (const line of decodeStream(source, lines())) {
      expect(line).toBe('a\n')
      break
    }
    expect(closed).toBe(true)
  })

  test('accepts a source that cannot be closed', async () => {
    const source = {
      [Symbol.iterator]: () => ({
        next: () => ({done: false as const, value: 'a\n'}),
        return: () => {
          throw new Error('never')
        },
      }),
    }
    for await (const line of decodeStream(source, lines())) {
      expect(line).toBe('a\n')
      break
    }
  })
})

describe('a signal', () => {
  test('prevents reading when it is already aborted', async () => {
    const reason = new Error('too late')
    expect(await collect(['a\n'], AbortSignal.abort(reason))).toEqual({got: [], error: reason})
  })

  test('ends a read that would hang, with the reason and without the half line', async () => {
    const {source, closed} = hanging()
    const controller = new AbortController()
    const reading = collect(source, controller.signal)
    await sleep(5)
    controller.abort(new Error('enough'))
    expect(await reading).toEqual({got: ['one\n'], error: new Error('enough')})
    expect(closed()).toBe(true)
  })

  test('closes a Node stream that would hang', async () => {
    const source = new PassThrough()
    source.write('one\n')
    const controller = new AbortController()
    const reading = collect(source, controller.signal)
    await sleep(5)
    controller.abort()
    const {got, error} = await reading
    expect(got).toEqual(['one\n'])
    expect(error).toBe(controller.signal.reason)
    if (!source.closed) await once(source, 'close')
    expect(source.destroyed).toBe(true)
  })

  test('cancels a Web stream that would hang', async () => {
    let cancelled = false
    const source = new ReadableStream<string>({
      start: (controller) => controller.enqueue('one\n'),
      cancel: () => {
        cancelled = true
      },
    })
    const controller = new AbortController()
    const reading = collect(source, controller.signal)
    await sleep(5)
    controller.abort()
    expect(await reading).toEqual({got: ['one\n'], error: controller.signal.reason})
    expect(cancelled).toBe(true)
  })

  test('stops between two lines of one chunk', async () => {
    const controller = new AbortController()
    const got: string[] = []
    const reading = (async () => {
      for await (const line of decodeStream(['a\nb\nc\n'], lines(), {signal: controller.signal})) {
        got.push(line)
        controller.abort(new Error('stop'))
      }
    })()
    await expect(reading).rejects.toThrow('stop')
    expect(got).toEqual(['a\n'])
  })

  test('closes the source when it is already aborted', async () => {
    const source = new PassThrough()
    let cancelled = false
    const web = new ReadableStream<string>({cancel: () => void (cancelled = true)})
    const signal = AbortSignal.abort(new Error('too late'))
    expect(await collect(source, signal)).toEqual({got: [], error: signal.reason})
    expect(await collect(web, signal)).toEqual({got: [], error: signal.reason})
    expect(source.destroyed).toBe(true)
    expect(cancelled).toBe(true)
  })

  test.each(['a\nb', 'a\nb\n'])('stops after the last line of %j', async (text) => {
    const controller = new AbortController()
    const reading = (async () => {
      for await (const line of decodeStream([text], lines(), {signal: controller.signal})) {
        if (line.startsWith('b')) controller.abort(new Error('at the end'))
      }
    })()
    await expect(reading).rejects.toThrow('at the end')
  })

  test('has no effect without an abort and leaves no listener', async () => {
    const {signal} = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (
      listeners--,
      remove(...args)
    )
    expect(await collect(['a\nb\n'], signal)).toEqual({got: ['a\n', 'b\n']})
    expect(listeners).toBe(0)
  })
})

describe('a decoder stream', () => {
  test('decodes in a pipe', async () => {
    const stream = new Blob(['a\nb', '\nc']).stream().pipeThrough(new DecoderStream(lines()))
    const got: string[] = []
    for await (const line of stream) got.push(line)
    expect(got).toEqual(['a\n', 'b\n', 'c'])
  })
})
