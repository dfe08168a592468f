import {randomBytes} from 'node:crypto'
import {linkSync, renameSync, rmSync, writeFileSync} from 'node:fs'

const PRIVATE_FILE = 0o600

/** Makes a private file, with all its content from the first moment on; false when there is one already. */
export function createWhole(path: string, content: string): boolean {
  const draft = writeDraft(path, content)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (isTaken(error)) return false
    return createInPlace(path, content)
  } finally {
    rmSync(draft, {force: true})
  }
}

/** Puts a private file in the place of another, whole: whoever reads sees the old one or the new one. */
export function replaceWhole(path: string, content: string): void {
  const draft = writeDraft(path, content)
  try {
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, {force: true})
    throw error
  }
}

function writeDraft(path: string, content: string): string {
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  writeFileSync(draft, content, {flag: 'wx', mode: PRIVATE_FILE, flush: true})
  return draft
}

/** For file systems without links, where a reader may come between the making and the writing. */
function createInPlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, {flag: 'wx', mode: PRIVATE_FILE, flush: true})
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST'
}
