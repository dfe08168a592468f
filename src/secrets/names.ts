/** The kind of a secret name; for a weak one, the value must look like a secret too. */
export type SecretName = 'password' | 'secret' | 'token' | 'weak'

const WORDS = [
  'passw(?:or[dt]|d)|passphrase|passcode|pwd|psk|pass',
  'secret|token|key|authorization|auth|credentials?|cookie|amz-signature|sig|phpsessid|jsessionid|gitlab_session',
].join('|')

const SUFFIX =
  '[_-]?\\d{1,3}|[_-](?:prod|production|dev|development|staging|stage|test|live|base|old|new|primary|secondary|default|value|hash)'

/** Matches the end of a name that may be secret. */
export const NAME_END: string = anyCase(`(?:${WORDS}|(?:${WORDS})(?:${SUFFIX}))`)

const PASSWORD = new RegExp(`(?:passw(?:or[dt]|d)|passphrase|passcode|pwd|psk)(?:${SUFFIX})?$`, 'i')
const PASS = new RegExp(`(?:^|[_.-]|[a-z](?=P))pass(?:${SUFFIX})?$`, 'i')
const SECRET = new RegExp(
  `(?:secret|(?:api|access|private|account|sign(?:ing)?|encrypt(?:ion)?|master|secret|auth|service|role|admin|shared|subscription|deploy|webhook|hmac|jwt|app|openai|anthropic|storage)[-_. ]?key)(?:${SUFFIX})?$`,
  'i',
)
const TOKEN = new RegExp(`(?:token|phpsessid|jsessionid|gitlab_session)(?:${SUFFIX})?$`, 'i')
const WEAK = new RegExp(`(?:_KEY|auth|credentials?|[Aa]mz-[Ss]ignature|\\bsig)(?:${SUFFIX})?$`)
/** Tokens of pagination, of a language model, of a design system. */
const OTHER_TOKEN =
  /(?:next|page|pagination|continuation|sync|resume|pad|eos|bos|unk|cls|sep|mask|special|start|end|stop|max|min|first|last|prev|current|design|syntax|cancel(?:lation)?)[-_.]?token$/i
const OTHER_KEY = /(?:public|publishable|cache|sort|primary|foreign|partition|idempotency)_?key/i

/** The kind of secret that a name announces; undefined for most names. */
export function readName(name: string): SecretName | undefined {
  if (PASSWORD.test(name)) return 'password'
  if (SECRET.test(name)) return 'secret'
  if (TOKEN.test(name)) return OTHER_TOKEN.test(name) ? undefined : 'token'
  if (PASS.test(name)) return isEnvName(name) ? 'password' : 'token'
  return WEAK.test(name) && !OTHER_KEY.test(name) ? 'weak' : undefined
}

/** Whether a name is written like an environment variable. */
export function isEnvName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name)
}

/** How a value was written, which determines how certain its extent is. */
export type Writing = 'quoted' | 'env' | 'bare'

/** Whether a value is a secret, and not a type, a label or a placeholder. */
export function isSecretValue(value: string, name: SecretName, writing: Writing): boolean {
  if (value.length < 4 || isPlaceholder(value) || isReference(value)) return false
  if (name === 'weak') return isRandom(value, 16)
  if (/\s/.test(value)) return writing === 'env' && !ABOUT_SECRETS.test(value)
  const hasDigit = /\d/.test(value)
  if (writing === 'bare') {
    if (name !== 'password') return isRandom(value, 16) || (isRandom(value, 10) && isMixed(value))
    return value.length >= 6 && !TYPE.test(value) && /\d|\w[!@#%^~]\w/.test(value)
  }
  if (writing === 'env') {
    return name === 'password' || value.length >= 8 || (hasDigit && value.length >= 6)
  }
  // Words with capitals are labels or identifiers: `Passwort`, `userPassword`.
  if (/^(?:\W?(?:[A-Z][a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)$/.test(value)) return false
  if (/[^\x21-\x7e]/.test(value)) return false
  if (name === 'password') return true
  if (/^[a-z]+(?:[._:/-]+[a-z]+)+$/i.test(value)) return false
  return value.length >= 8 && (name === 'secret' || hasDigit || value.length >= 24)
}

/** Whether a text looks random: mixed letters and digits, unlike words that people write. */
export function isRandom(value: string, length: number): boolean {
  return (
    value.length >= length &&
    /^[\w+/=.~%:-]+$/.test(value) &&
    /[A-Za-z]/.test(value) &&
    (value.match(/\d/g)?.length ?? 0) >= 2
  )
}

function isMixed(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value)
}

const TYPE = /^(?:u?int|float|[iuf]|utf|sha|md|base|Uint|Int|Float|BigInt|BigUint)-?\d+(?:Array)?$/
const ABOUT_SECRETS = /\b(?:password|passphrase|secret|token|key|your|enter)\b/i
const PLACEHOLDER =
  /^(?:(.)\1*|<[^]*>|\[[^]*\]|\{[^]*\}|%\w+%|@[\w.]+@|__\w+__)$|\*\*\*|\$\{|\$\(|\{\{|#\{|%\(|\.\.\.|…|xxxx|(?<![a-z])(?:your|example|change[-_]?(?:me|it)|placeholder|redacted|masked|hidden|dummy|todo|insert|replace|sample)(?![a-z])/i
const VARIABLE = /^\$(?:[A-Z_][A-Z0-9_]*|[A-Za-z_]+(?:[.:][\w.]+)?|[({][^]*)$/
const NO_VALUE =
  /^(?:0x[0-9a-f]{1,8}|null|none|nil|undefined|true|false|yes|no|on|off|string|str|text|number|integer|int|bool|boolean|object|array|bytes|any|unknown|never|void|required|optional|disabled|enabled|default|include|omit|same-origin|basic|bearer|inherit|auto|self|prompt|ask|file|stdin|env|keychain|keyring|(?:my|the|some|new|old|user)?[-_]?(?:password|passwd|pass|secret|token|api[-_]?key|key|credentials?))$/i

/** Whether a value is a placeholder or a reference to a variable. */
export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) || VARIABLE.test(value) || NO_VALUE.test(value)
}

/** Whether a value is a path, a URL or an identifier: `/run/secrets/db`, `config.apiKey`. */
function isReference(value: string): boolean {
  if (/^(?:(?:~|\.{0,2})\/|[A-Za-z]:[\\/]|[a-z]+:\/\/)/.test(value)) {
    return !(value.length >= 32 && /^\/[A-Za-z0-9+/=]+$/.test(value) && isMixed(value))
  }
  if (/^[A-Za-z_$][\w$.]*[([]/.test(value)) return true
  if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)) {
    return !value.split('.').some((part) => isRandom(part, 16))
  }
  return (
    /^[A-Za-z]+(?:[._:/-]+[A-Za-z]+)+$/.test(value) &&
    ABOUT_SECRETS.test(value.replaceAll('_', '-'))
  )
}

/** Makes a pattern case-insensitive without the flag `i`, which would apply to the combined pattern. */
function anyCase(source: string): string {
  return source.replaceAll(/\\.|\[[^\]]*\]|[a-z]/g, (part) => {
    if (part.startsWith('\\')) return part
    const upper = part.toUpperCase()
    return part.startsWith('[')
      ? `[${part.slice(1, -1)}${upper.slice(1, -1)}]`
      : `[${part}${upper}]`
  })
}
