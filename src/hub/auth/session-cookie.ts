import {isSameSecret, sign} from './sign.ts'
import {isRole, rightsOf, type Rights, type Role} from './tokens.ts'

/** What a session cookie is bound to. */
export interface SessionCookieOptions {
  /** The main token: cookies die with it. */
  token: string
  /** Cookies are shared by all ports of a host, so its name carries ours. */
  port: number
  /** Whether it may only travel over TLS. */
  isSecure: boolean
  now?: (() => number) | undefined
}

/** The cookie by which a browser is known again; nothing is kept of it here. */
export interface SessionCookie {
  name: string
  /** The `Set-Cookie` that opens a session. */
  open: (role: Role) => string
  /** The `Set-Cookie` that makes a browser forget its session. */
  close: () => string
  /** The rights in a `Cookie` header; `null` when no cookie in it is one of ours, and still good. */
  read: (header: string | undefined) => Rights | null
}

const LIFE_SECONDS = 30 * 24 * 60 * 60

/** Makes and reads session cookies: role, end and signature, so that they outlive a restart of the hub. */
export function createSessionCookie(options: SessionCookieOptions): SessionCookie {
  const {token, port, isSecure, now = Date.now} = options
  const name = `vitrine-${port}`
  const seal = (content: string): string => sign(token, 'cookie', `${name} ${content}`)
  const write = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const readValue = (value: string): Rights | null => {
    const [role = '', until = '', signature = '', ...rest] = value.split('.')
    const isOurs = isSameSecret(signature, seal(`${role}.${until}`)) && rest.length === 0
    return isOurs && isRole(role) && Number(until) * 1000 > now() ? rightsOf(role) : null
  }
  return {
    name,
    open(role) {
      const content = `${role}.${Math.floor(now() / 1000) + LIFE_SECONDS}`
      return write(`${content}.${seal(content)}`, LIFE_SECONDS)
    },
    close: () => write('', 0),
    read: (header) =>
      listCookies(header, name)
        .map((value) => readValue(value))
        .find((rights) => rights !== null) ?? null,
  }
}

/**
 * The values that a `Cookie` header has under a name: any other server of this host can have left its own there,
 * also under our name.
 */
export function listCookies(header: string | undefined, name: string): string[] {
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
