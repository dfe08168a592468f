import {isSameSecret, sign} from './sign.ts'
import {isRole, RIGHTS, type Rights, type Role} from './tokens.ts'

export interface SessionCookieOptions {
  /** The main token: cookies are invalid when it changes. */
  token: string
  /** Cookies are shared by all ports of a host, so the name contains the port. */
  port: number
  isSecure: boolean
  now?: (() => number) | undefined
}

const LIFE_SECONDS = 30 * 24 * 60 * 60

/** Creates and verifies session cookies: role, expiry and signature, so that they survive a restart of the hub. */
export function createSessionCookie(options: SessionCookieOptions) {
  const {token, port, isSecure, now = Date.now} = options
  const name = `vitrine-${port}`
  const seal = (content: string): string => sign(token, 'cookie', `${name} ${content}`)
  const write = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const readValue = (value: string): Rights | null => {
    const [role = '', until = '', signature = '', ...rest] = value.split('.')
    const isOurs = isSameSecret(signature, seal(`${role}.${until}`)) && rest.length === 0
    return isOurs && isRole(role) && Number(until) * 1000 > now() ? RIGHTS[role] : null
  }
  return {
    name,
    /** The `Set-Cookie` header that opens a session. */
    open(role: Role): string {
      const content = `${role}.${Math.floor(now() / 1000) + LIFE_SECONDS}`
      return write(`${content}.${seal(content)}`, LIFE_SECONDS)
    },
    /** The `Set-Cookie` header that removes a session. */
    close: () => write('', 0),
    /** The rights in a `Cookie` header; `null` when it has no valid session. */
    read: (header: string | undefined): Rights | null =>
      listCookies(header, name)
        .map(readValue)
        .find((rights) => rights !== null) ?? null,
  }
}

/** The values of a name in a `Cookie` header: other servers of this host can set cookies, even under our name. */
export function listCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
