import {MASK, maskValue, matchAt, type Masked} from './kinds.ts'
import {
  isEnvName,
  isPlaceholder,
  isRandom,
  isSecretValue,
  NAME_END,
  readName,
  type SecretName,
} from './names.ts'

/** Match one character where the context may announce a secret. */
export const PLACE_TRIGGERS: readonly string[] = [
  `[:=](?! ?[{([]|(?<==)=)(?<=${NAME_END}(?:\\\\{0,7}["'\`]\\]?)?[ \\t]{0,8}.)`,
  ':(?=\\/\\/)',
  ':(?= \\d)(?<=Private-Lines:)',
  ':(?=\\$\\w{1,4}\\$)',
  '[Bb](?=earer |EARER )',
  '-(?=----BEGIN )',
  '-(?=-[a-z][\\w-]{0,30} )(?<![\\w-]-)',
  '-(?=u |-user[ =])(?<=\\s-)',
  `<(?=\\/[\\w.:-]{0,30}${NAME_END}>)`,
]

/** Finds the secret at a trigger, by its context. */
export function findInPlace(text: string, at: number): Masked | undefined {
  switch (text.charAt(at)) {
    case ':':
      if (text.startsWith('//', at + 1)) return findInAddress(text, at)
      return findPuttyKey(text, at) ?? findHash(text, at) ?? findAssigned(text, at)
    case '=':
      return findAssigned(text, at)
    case '-':
      return findPrivateKey(text, at) ?? findInCommand(text, at)
    case 'B':
    case 'b':
      return findBearer(text, at)
    case '<':
      return findInElement(text, at)
    default:
      return undefined
  }
}

const ASSIGNMENT = new RegExp(
  `(?<=([\\w$.-]{0,64}${NAME_END})(\\\\{0,7}["'\`])?\\]?[ \\t]{0,8})(?::[ \\t]?(?:string|str|String)[ \\t]?=(?!=)|=>|:=|[:=](?![=:]))[ \\t]{0,8}`,
  'y',
)
const OPENING = /([bruf@$]{0,2})(\\{0,7})(["'`])/y

/** `NAME=value`, `"name": "value"`, `name: value`, and headers. */
function findAssigned(text: string, at: number): Masked | undefined {
  const match = matchAt(ASSIGNMENT, text, at)
  if (match === null) return undefined
  const [separator, written = '', quote = ''] = match
  const name = cleanName(text, at, written, quote)
  const start = at + separator.length
  const opening = matchAt(OPENING, text, start)
  const inside = start + (opening?.[0].length ?? 0)
  if (/cookie$/i.test(name)) return findCookies(text, inside)
  if (/authorization$/i.test(name)) return findAuthorization(text, inside)
  const kind = readName(name)
  if (kind === undefined) return undefined
  if (opening !== null) {
    // After `"password="` in a list the quote closes; it certainly opens only after a quoted name.
    if (quote === '' && /[\s,:}\])]/.test(text.charAt(inside))) return undefined
    const [, letters = '', slashes = '', mark = ''] = opening
    const to = mark === '"' ? closingQuote(text, inside, slashes.length) : softEnd(text, inside)
    const value = text.slice(inside, to)
    if (/[f$]/.test(letters) && value.includes('{')) return undefined
    const isSecret = isSecretValue(value, kind, isEnvName(name) ? 'env' : 'quoted')
    return isSecret && !value.startsWith('-----')
      ? {from: inside, to, text: maskValue(value)}
      : undefined
  }
  // After a quoted name, as in JSON or code, an unquoted value is a number or a variable.
  return quote === '' ? findBare(text, start, name, kind, separator) : undefined
}

/** Removes the letter of an escape sequence before a name: `n` of `\n` in nested JSON, `m` of a terminal colour. */
function cleanName(text: string, at: number, written: string, quote: string): string {
  const end = text.lastIndexOf(written, at - quote.length)
  const name = text.charAt(end - 1) === '\\' && quote === '' ? written.slice(1) : written
  return name.replace(/^[\d;]{1,8}m(?=\D)/, '').replace(/^.*\.(?=.)/, '')
}

const ENV_VALUE = /(?:[^\s"'`\\<]|<(?!\/))+/y
const BARE_VALUE = /[^\s"'`\\,;&(){}[\]<>|]+/y

function findBare(
  text: string,
  from: number,
  name: string,
  kind: SecretName,
  separator: string,
): Masked | undefined {
  const isEnv = isEnvName(name)
  const isTight = separator === '='
  const shape = isEnv && isTight ? ENV_VALUE : BARE_VALUE
  // A prefix is enough to decide, which bounds the work for repeated values that are not secrets.
  const head =
    matchAt(shape, text.slice(from, from + 256), 0)?.[0].replace(/[,.;:)\]}]+$/, '') ?? ''
  const after = text.charAt(from + head.length)
  if (shape === BARE_VALUE && /[([{<]/.test(after)) return undefined
  const isForm = isTight && /[?&]/.test(text.charAt(from - 2 - name.length))
  const isFlag = isTight && (name.startsWith('-') || /^[A-Z]/.test(name))
  const isLabel = !isTight && /^[A-Z][A-Za-z]+$/.test(head) && !/\d/.test(head)
  const writing = isForm || isFlag || (isEnv && !isLabel) ? 'env' : 'bare'
  if (!isSecretValue(head, kind, writing)) return undefined
  const to =
    head.length < 200 ? from + head.length : from + (matchAt(shape, text, from)?.[0].length ?? 0)
  return {from, to, text: maskValue(head)}
}

/** Masks a value that ends at an offset. */
function maskEnd(to: number, value: string): Masked {
  return {from: to - value.length, to, text: maskValue(value)}
}

const UNQUOTED = /[^"\n]*/y

/** The end of a double-quoted text; its closing quote has as many backslashes as the opening one. */
function closingQuote(text: string, from: number, slashes: number): number {
  for (let at = from; ; at++) {
    at += matchAt(UNQUOTED, text, at)?.[0].length ?? 0
    // Truncated, or not a quoted text.
    if (text.charAt(at) !== '"') return at
    let count = 0
    while (at - count > from && text.charAt(at - count - 1) === '\\') count++
    if (count < slashes) return at - count
    if (count % (2 * (slashes + 1)) === slashes) return at - slashes
  }
}

// A closing double quote is not followed by a letter, in JSON at any depth.
const SOFT = /(?:[^'"`\\\r\n]|\\(?!["\\/bfnrtu'`])|\\{0,7}"(?![\s,:}\])\\]|$))*/y

/** The end of a single-quoted text, which may be inside a double-quoted one. */
function softEnd(text: string, from: number): number {
  return from + (matchAt(SOFT, text, from)?.[0].length ?? 0)
}

const COOKIES =
  /[\w.!#$%&*+^|~-]{1,64}=[^;\s"'\\,]*(?:; ?[\w.!#$%&*+^|~-]{1,64}(?:=[^;\s"'\\,]*)?){0,60}/y
const COOKIE = /([\w.!#$%&*+^|~-]{1,64})=([^;\s"'\\,]+)/g
const SESSION = /sess|sid$|auth|token|jwt|csrf|xsrf|login|remember|secret|^id$/i

function findCookies(text: string, from: number): Masked | undefined {
  const list = matchAt(COOKIES, text, from)?.[0] ?? ''
  let masked = ''
  let done = 0
  for (const {0: pair, 1: name = '', 2: value = '', index} of list.matchAll(COOKIE)) {
    if (!isSecretCookie(name, value)) continue
    masked += `${list.slice(done, index)}${name}=${MASK}`
    done = index + pair.length
  }
  return done === 0 ? undefined : {from, to: from + done, text: masked}
}

function isSecretCookie(name: string, value: string): boolean {
  if (/^(?:path|domain|expires|max-age|samesite|version|priority)$/i.test(name)) return false
  if (value.length < (SESSION.test(name) ? 6 : 16)) return false
  return value.length > 64 || !isPlaceholder(value)
}

const SCHEMES = 'basic|token|bot|api-?key|key|splunk|ssws|oauth|geniekey|negotiate|sso-key'
const AUTHORIZATION = new RegExp(`((?:${SCHEMES}) +)?([\\w.~+/=:%-]{8,})(?! +\\w)`, 'iy')

function findAuthorization(text: string, at: number): Masked | undefined {
  const match = matchAt(AUTHORIZATION, text, at)
  const [, scheme = '', value = ''] = match ?? []
  const isSecret = scheme === '' ? isRandom(value, 16) : isCredential(value)
  return isSecret ? maskEnd(at + scheme.length + value.length, value) : undefined
}

const BEARER = /bearer +([\w.~+/=:%-]{8,})/iy

function findBearer(text: string, at: number): Masked | undefined {
  const [all = '', value = ''] = matchAt(BEARER, text, at) ?? []
  return isCredential(value) ? maskEnd(at + all.length, value) : undefined
}

function isCredential(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value)) return false
  return /\d|[a-z][A-Z]+[a-z]*[A-Z]/.test(value) || value.length >= 32
}

const USER_AND_PASSWORD =
  /:\/\/([^\s:/@"'`\\<>?#]{0,128}):((?!\d{1,5}[?#])[^\s/"'`\\<>]{1,256})@(?=[\w[.$%{-])/y
const USER = /:\/\/([^\s:/@"'`\\<>?#]{16,256}):?@/y

/** `scheme://user:password@host`, and a token in place of the user. */
function findInAddress(text: string, at: number): Masked | undefined {
  const from = at + '://'.length
  const [, user = '', password] = matchAt(USER_AND_PASSWORD, text, at) ?? []
  const shownUser = isRandom(user, 20) ? maskValue(user) : user
  if (password !== undefined) {
    const shown = STANDS_FOR_ANOTHER.test(password) ? password : maskValue(password)
    const to = from + user.length + 1 + password.length
    return {from, to, text: `${shownUser}:${shown}`}
  }
  const [, token = ''] = matchAt(USER, text, at) ?? []
  return isRandom(token, 20) ? maskEnd(from + token.length, token) : undefined
}

const STANDS_FOR_ANOTHER = /^(?:<.*>|\[.*\]|\{.*\}|%.*%|(.)\1*)$|\*\*\*|\$[{(A-Za-z_]|\{\{|\.\.\.|…/

const BREAK = String.raw`(?:\s|\\+[nrt])`
const NUMBER = String.raw`(?:\d{1,6}(?:→|\t|: |\| ))`
const GAP = String.raw`(?:${BREAK}|${NUMBER}|\\*["'](?: ?\+)?|[,>|])`
const RUN = '[A-Za-z0-9+/=]'
const PRIVATE_KEY = new RegExp(
  `(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${GAP}{1,40}[A-Z][A-Za-z-]{2,20}: [^\\r\\n\\\\"']{1,120})*${GAP}{0,80})` +
    `((?:${RUN}{16,}|${RUN}+(?=${GAP}{0,80}-----END))(?:${GAP}{1,80}(?:${RUN}{16,}|${RUN}+(?=${GAP}{0,80}(?:-----END|$)|${BREAK})))*)`,
  'y',
)
const KEY_LINES = new RegExp(`${RUN}+(?:(?:${BREAK}|[→:,>|])+${RUN}+)*`, 'g')

/** A private key, even if truncated. Characters that are not part of it are kept: they may close a quote. */
function findPrivateKey(text: string, at: number): Masked | undefined {
  const [, head = '', body = ''] = matchAt(PRIVATE_KEY, text, at) ?? []
  if (body === '') return undefined
  const from = at + head.length
  return {from, to: from + body.length, text: body.replaceAll(KEY_LINES, MASK)}
}

const PUTTY_KEY = new RegExp(
  `(?<=Private-Lines): \\d{1,4}${GAP}{1,80}(${RUN}{16,}(?:${GAP}{1,80}${RUN}+(?=${BREAK}|$))*)`,
  'y',
)

/** The private part of a PuTTY key file. */
function findPuttyKey(text: string, at: number): Masked | undefined {
  const [all = '', body = ''] = matchAt(PUTTY_KEY, text, at) ?? []
  if (body === '') return undefined
  const to = at + all.length
  return {from: to - body.length, to, text: body.replaceAll(KEY_LINES, MASK)}
}

const HASH = /:(\$\w{1,4}\$[\w./$=,+-]{16,})(?=:)/y

/** The password hash in a line of a shadow file: `root:$6$salt$hash:19000:`. */
function findHash(text: string, at: number): Masked | undefined {
  const [all = ''] = matchAt(HASH, text, at) ?? []
  return all === '' ? undefined : {from: at + 1, to: at + all.length, text: MASK}
}

const FLAG = /--([\w-]{1,40}) +(?:(["'])([^"'\\\n]+)(?=\2)|([^\s"'`\\,;&(){}[\]<>|]{1,256}))/y
const CURL_USER = /-(?:u|-user)[ =]\\{0,7}["']?[^\s:"'\\]{1,64}:([^\s"'\\]{1,128})/y

/** `--password value` and `curl -u user:password`. */
function findInCommand(text: string, at: number): Masked | undefined {
  const [given = '', password] = matchAt(CURL_USER, text, at) ?? []
  if (password !== undefined && isCurl(text, at) && !STANDS_FOR_ANOTHER.test(password)) {
    return maskEnd(at + given.length, password)
  }
  const [all = '', flag = '', , quoted, bare = ''] = matchAt(FLAG, text, at) ?? []
  const kind = readName(flag)
  const value = quoted ?? bare
  const isSecret = kind && isSecretValue(value, kind, quoted === undefined ? 'bare' : 'quoted')
  return isSecret ? maskEnd(at + all.length, value) : undefined
}

/** Whether `-u` belongs to curl; in other commands it takes user and group ids. */
function isCurl(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 300), at)
  return /\b(?:curl|wget|https?)\b/.test(before.slice(before.lastIndexOf('\n') + 1))
}

const ELEMENT = /(?<=>([^<>\s"'\\]{4,256}))<\/([\w.:-]{1,60})>/y

/** `<password>value</password>`. */
function findInElement(text: string, at: number): Masked | undefined {
  const [, value = '', name = ''] = matchAt(ELEMENT, text, at) ?? []
  const kind = readName(name)
  return kind && isSecretValue(value, kind, 'quoted') ? maskEnd(at, value) : undefined
}
