import {isRecord} from '../../../src/core/wire/json.ts'

const MAX_DEPTH = 4

/** A value on one line of about the given length, for any size: `{"a": 1, "b": […]}`. */
export function previewJson(value: unknown, length: number): string {
  const parts: string[] = []
  let room = length
  write(value, 0)
  return parts.join('')

  function add(text: string): void {
    parts.push(text)
    room -= text.length
  }

  function write(item: unknown, depth: number): void {
    if (Array.isArray(item)) {
      writeItems('[', ']', item.length, depth, (at) => write(item[at], depth + 1))
    } else if (isRecord(item)) {
      const names = firstNames(item, length)
      writeItems('{', '}', names.length, depth, (at) => {
        const name = names[at] ?? ''
        add(`${showText(name, room)}: `)
        write(item[name], depth + 1)
      })
    } else if (typeof item === 'string') add(showText(item, room))
    else add(String(item))
  }

  function writeItems(
    open: string,
    close: string,
    count: number,
    depth: number,
    writeItem: (at: number) => void,
  ): void {
    if (count > 0 && depth >= MAX_DEPTH) {
      add(`${open}…${close}`)
      return
    }
    add(open)
    for (let at = 0; at < count; at++) {
      if (at > 0) add(', ')
      if (room <= 0) {
        add('…')
        break
      }
      writeItem(at)
    }
    add(close)
  }
}

/** As many keys as can be shown, without listing all keys of a large object. */
function firstNames(item: Record<string, unknown>, limit: number): string[] {
  const names: string[] = []
  for (const name in item) {
    if (names.push(name) >= limit) break
  }
  return names
}

function showText(text: string, room: number): string {
  const limit = Math.max(8, room)
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text)
}
