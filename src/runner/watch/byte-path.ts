/**
 * A path with one character for each of its bytes. Names need not be UTF-8: as text two of them may look the same, and
 * neither could be opened.
 */
export type BytePath = string

/** Takes a path that is text. The system gives such paths when it is asked for `latin1`. */
export function toBytePath(path: string): BytePath {
  return HAS_OTHERS.test(path) ? Buffer.from(path).toString('latin1') : path
}

/** Gives a path to the system. */
export function toSystem(path: BytePath): string | Buffer {
  return HAS_OTHERS.test(path) ? Buffer.from(path, 'latin1') : path
}

/** Gives a path to read; what is not UTF-8 is `�`. */
export function toText(path: BytePath): string {
  return toSystem(path).toString('utf8')
}

/** Puts a name behind the path of a folder, which is empty for the top. */
export function joinPath(folder: BytePath, name: BytePath): BytePath {
  return folder === '' ? name : `${folder}/${name}`
}

const HAS_OTHERS = /[^\0-\x7f]/
