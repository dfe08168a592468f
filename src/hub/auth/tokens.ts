import {randomBytes} from 'node:crypto'
import {closeSync, fchmodSync, fstatSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {makeFolder} from '../../recording/recording.ts'
import {HubError} from '../hub-error.ts'
import {isSameSecret, sign} from './sign.ts'
import {tryOpen} from '../../recording/read/try-open.ts'
import {createWhole} from '../whole-file.ts'

/** What a token can be for, when it is not for everything. */
export type Role = 'view' | 'answer' | 'ingest'

/** What somebody may do. */
export interface Rights {
  view: boolean
  /** Answer permission requests, stop runs, and all else that reaches an agent. */
  answer: boolean
  /** Hand in runs and hook payloads. */
  ingest: boolean
}

const RIGHTS = {
  view: {view: true, answer: false, ingest: false},
  answer: {view: true, answer: true, ingest: false},
  ingest: {view: false, answer: false, ingest: true},
} as const satisfies Record<Role, Rights>

/** By which tokens are known for what they are, wherever they turn up. */
const PREFIX = 'vitrine_'

const ROLES: readonly Role[] = ['view', 'answer', 'ingest']

/** What a role may do: to answer is also to view, to ingest is only that. */
export function rightsOf(role: Role): Rights {
  return {...RIGHTS[role]}
}

/** Tells whether a word is the name of a role. */
export function isRole(word: string): word is Role {
  return Object.hasOwn(RIGHTS, word)
}

/**
 * The token of a data folder, made when there is none. Of several processes that come at the same moment all get
 * the same.
 *
 * @param onRemark - Gets a warning when others could have read the token.
 */
export function openToken(dataDir: string, onRemark: (text: string) => void = () => {}): string {
  const path = join(dataDir, 'token')
  makeFolder(dataDir)
  const token = readPrivate(path, onRemark)
  if (token !== null) return checkToken(path, token)
  createWhole(path, `${PREFIX}${randomBytes(32).toString('base64url')}\n`)
  return checkToken(path, readPrivate(path) ?? '')
}

/** The token of a role: it follows from the main one, and dies with it. */
export function deriveToken(token: string, role: Role): string {
  return `${PREFIX}${role}_${sign(token, 'role', role)}`
}

/** What a token that somebody shows is good for; `null` when for nothing. */
export function readToken(main: string, presented: string): Rights | null {
  const token = presented.trim()
  // All are compared, whichever it is, so that the time does not tell.
  const isMain = isSameSecret(token, main)
  const tried = ROLES.map((role) => ({role, isIt: isSameSecret(token, deriveToken(main, role))}))
  if (isMain) return {view: true, answer: true, ingest: true}
  const found = tried.find(({isIt}) => isIt)
  return found === undefined ? null : rightsOf(found.role)
}

/** Reads a private file, and makes it private when it is not; `null` when there is none. */
function readPrivate(path: string, onRemark?: (text: string) => void): string | null {
  const file = tryOpen(path)
  if (file === undefined) return null
  try {
    if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0) {
      fchmodSync(file, 0o600)
      onRemark?.(
        `${path} was readable by other users and is private now. To replace the token, remove the file and restart the hub`,
      )
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** As we make them, or longer, for those who bring their own. */
const TOKEN = /^[\w-]{43,512}$/

function checkToken(path: string, content: string): string {
  const token = content.trim()
  if (TOKEN.test(token)) return token
  throw new HubError(
    'bad-token-file',
    `${path} does not contain a valid token. Remove the file; the next start creates a new token`,
  )
}
