import {randomBytes} from 'node:crypto'
import {closeSync, fchmodSync, fstatSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {makeFolder} from '../../recording/make-folder.ts'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'
import {HubError} from '../hub-error.ts'
import {isSameSecret, sign} from './sign.ts'
import {tryOpen} from '../../recording/read/byte-source.ts'
import {createAtomic} from '../../recording/write-atomic.ts'

const ROLES = ['view', 'answer', 'ingest'] as const

/** The role of a restricted token. */
export type Role = (typeof ROLES)[number]

/** The rights of a client. */
export interface Rights {
  view: boolean
  /** Answer permission requests, stop runs, and everything else that reaches an agent. */
  answer: boolean
  /** Upload runs and hook payloads. */
  ingest: boolean
}

/** The rights of each role: answer includes view, ingest does not. */
export const RIGHTS: Readonly<Record<Role, Readonly<Rights>>> = {
  view: {view: true, answer: false, ingest: false},
  answer: {view: true, answer: true, ingest: false},
  ingest: {view: false, answer: false, ingest: true},
}

/** Prefix that makes tokens recognizable, for example to secret scanners. */
const PREFIX = 'vitrine_'

export function isRole(word: string): word is Role {
  return Object.hasOwn(RIGHTS, word)
}

/**
 * The token of a data folder, created when there is none. Processes that start at the same time get the same
 * token.
 *
 * @param onNotice - Receives a warning when other users could have read the token.
 */
export function openToken(dataDir: string, onNotice: (text: string) => void = () => {}): string {
  const path = join(dataDir, 'token')
  makeFolder(dataDir)
  const token = readPrivate(path, onNotice)
  if (token !== null) return checkToken(path, token)
  createAtomic(path, `${PREFIX}${randomBytes(32).toString('base64url')}\n`, {flush: true})
  return checkToken(path, readPrivate(path) ?? '')
}

/** The token of a role, derived from the main token. */
export function deriveToken(token: string, role: Role): string {
  return `${PREFIX}${role}_${sign(token, 'role', role)}`
}

/** The rights of a token; `null` when it is invalid. */
export function readToken(main: string, presented: string): Rights | null {
  const token = presented.trim()
  // Compares with all tokens, so that the timing reveals nothing.
  let rights: Rights | null = null
  for (const role of ROLES) {
    if (isSameSecret(token, deriveToken(main, role))) rights = RIGHTS[role]
  }
  if (isSameSecret(token, main)) rights = {view: true, answer: true, ingest: true}
  return rights
}

/** Reads a private file, and makes it private when it is not; `null` when there is none. */
function readPrivate(path: string, onNotice?: (text: string) => void): string | null {
  const file = tryOpen(path)
  if (file === undefined) return null
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) {
      fchmodSync(file, PRIVATE_FILE_MODE)
      onNotice?.(
        `${path} was readable by other users and is private now. To replace the token, remove the file and restart the hub`,
      )
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Matches our tokens and longer ones that users bring. */
const TOKEN = /^[\w-]{43,512}$/

function checkToken(path: string, content: string): string {
  const token = content.trim()
  if (TOKEN.test(token)) return token
  throw new HubError(
    'bad-token-file',
    `${path} does not contain a valid token. Remove the file; the next start creates a new token`,
  )
}
