/**
 * A path with one character per byte. Names need not be UTF-8: decoded as text, two names may become equal, and
 * neither could be opened.
 */
export type BytePath = string

/** Encodes a text path. The file system API returns this form with the encoding `latin1`. */
export function toBytePath(path: string): BytePath {
  return NON_ASCII.test(path) ? Buffer.from(path).toString('latin1') : path
}

/** Converts a path for the file system API. */
export function toSystemPath(path: BytePath): string | Buffer {
  return NON_ASCII.test(path) ? Buffer.from(path, 'latin1') : path
}

/** Decodes a path as text; invalid UTF-8 becomes `�`. */
export function toText(path: BytePath): string {
  return toSystemPath(path).toString('utf8')
}

/** Joins a name to the path of a folder, which is empty for the root. */
export function joinPath(folder: BytePath, name: BytePath): BytePath {
  return folder === '' ? name : `${folder}/${name}`
}

const NON_ASCII = /[^\0-\x7f]/
