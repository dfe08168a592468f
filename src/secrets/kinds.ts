import {VENDOR_KEYS} from './vendors.ts'

/** The replacement for a secret. */
export const MASK = '***'

/** A secret in a text: its range and its replacement. */
export interface Masked {
  from: number
  to: number
  text: string
}

const LONG = '[\\w-]{16,}'
const HEX = '[0-9a-f]{16,}'
/** For prefixes that could start an ordinary name: letters with at least one digit. */
const RUN = '(?:(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{20,}|[A-Za-z0-9]{32,})[\\w-]*'
/** The same with dashes, which many names contain: at least one capital too. */
const MIXED = '(?:(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{20,}|[A-Za-z0-9]{32,}[\\w-]*)'

/**
 * Prefixes of vendor keys, grouped by the pattern that follows. A prefix is public and stays visible; each
 * ends with one of `-_.`, by which it is found.
 */
const PREFIXES: readonly (readonly [body: string, ...prefixes: string[]])[] = [
  [LONG, 'sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-or-v1-'],
  [`(?!ant-|proj-|svcacct-|or-v1-|admin-|lf-)(?:[a-z0-9]{1,12}-){0,3}${RUN}`, 'sk-'],
  [MIXED, 'sk-admin-', 'sk-lf-', 'csk-', 'nvapi-', 'tvly-', 'xai-', 'pplx-', 'pypi-'],
  [LONG, 'GOCSPX-', 'ya29\\.', 'PMAK-', 'HRKU-', 'NRAK-', 'sq0[a-z]{3}-', 'CCIPAT_', 'bkua_'],
  ['[\\w.-]{16,}', 'gh[pousr]_', 'github_pat_'],
  [LONG, 'gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|agent|oas|ffct|imt)-'],
  [RUN, 'npm_', 'hf_', 'gsk_', 'secret_', 'rnd_', 'nfp_', 'fw_', 'r8_', 'ntn_', 'jina_', 'e2b_'],
  [RUN, 'lin_api_', 'lin_oauth_', 'rubygems_', 'cal_live_', 'dckr_pat_', 'sntry[su]_'],
  [LONG, '[sr]k_(?:live|test)_', 'rzp_(?:live|test)_', 'shippo_(?:live|test)_', 'sb_secret_'],
  ['[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}', 're_'],
  ['[A-Za-z0-9-]{10,}', 'xox[a-z]-', 'xoxe\\.xox[a-z]-', 'xapp-\\d-'],
  ['[\\w-]{20,24}\\.[\\w-]{30,}', 'SG\\.'],
  [HEX, 'do[opr]_v1_', 'shp(?:at|ca|pa|ss)_', 'sbp_', 'key-', 'pul-', 'xkeysib-'],
  [LONG, 'figd_', 'tskey-[a-z]{1,10}-', 'lsv2_[a-z]{2}_', 'glsa_', 'pscale_(?:tkn|pw|oauth)_'],
  [
    MIXED,
    'glc_',
    'phx_',
    'cfut_',
    'cfat_',
    'cfk_',
    'pat-(?:na|eu)\\d-',
    'FlyV1 fm\\d_',
    'hv[sbr]\\.',
  ],
  ['[A-Za-z0-9]{30,}', 'dp\\.(?:pt|ct|sa|scim|audit)\\.', 'AGE-SECRET-KEY-'],
  ['[0-9a-f]{24}-[0-9a-f]{64,}', 'v1\\.0-'],
  ['eyJ[\\w-]{16,}', 'ops_'],
  // The hub's own token: alone, and as a WebSocket subprotocol.
  ['(?=[\\w-]{0,60}[A-Z0-9])[\\w-]{32,}', 'vitrine_'],
  [LONG, 'vitrine["\',\\s\\\\]{1,8}token\\.'],
]

/** Keys recognized by a trigger in the middle: the pattern before it, and from it on. */
const MIDST: readonly (readonly [before: string, trigger: string, rest: string])[] = [
  ['[\\w~.-]{3}\\dQ', '~', '[\\w~.-]{30,}'],
  ['[A-Za-z0-9]{40,60}JQQ', 'J', '99[A-Za-z0-9]{16,}'],
  ['[A-Za-z0-9]{60,80}A', 'Z', 'DO[A-Za-z0-9]{4,}'],
  ['[0-9a-f]{32}', '-', 'us\\d{1,2}(?![\\w-])'],
  ['[A-Za-z0-9]{6}_[A-Za-z0-9]{29}', '_', 'mmk(?![\\w-])'],
  ['[A-Za-z0-9]{14}', '\\.', 'atlasv1\\.[\\w-]{30,}'],
  ['[MNO][\\w-]{22,28}', '\\.', '[\\w-]{6}\\.[\\w-]{27,}'],
]

/** Texts that are secret from the trigger on. */
const TAILS: readonly (readonly [before: string, trigger: string, rest: string])[] = [
  ['\\d{8,10}', ':', 'AA[\\w-]{30,}'],
  ['\\/hooks\\.slack\\.com\\/(?:services|workflows|triggers)', '\\/', '[\\w/-]{16,}'],
  ['discord(?:app)?\\.com\\/api\\/(?:v\\d{1,2}\\/)?webhooks', '\\/', '[\\w/-]{16,}'],
  ['\\.webhook\\.office\\.com\\/webhookb2', '\\/', '[\\w/@-]{16,}'],
]

const isLetterStart = (start: string) => /[A-Za-z0-9]$/.test(start)
/** Prefixes of letters are found by their rarest letter: every further trigger slows down the search. */
const RAREST = 'JZQKVITGLCE/py'
const LETTER_STARTS = VENDOR_KEYS.filter(([, start]) => isLetterStart(start)).map(
  ([, start, rest]) => splitAtRarest(start, rest),
)
/** Triggers beyond these letters would double the search time of any text. */
const isCommon = ({trigger}: {trigger: string}) => /[JZKIT/p]/.test(trigger)
const ALL_PREFIXES = [
  ...PREFIXES.flatMap(([, ...prefixes]) => prefixes),
  ...VENDOR_KEYS.map(([, start]) => start).filter((start) => !isLetterStart(start)),
]

/** Match one character in or before a key, where the key patterns are tried. */
export const KEY_TRIGGERS: readonly string[] = [
  ...['-', '_', '\\.', '~'].map((end) => {
    const own = ALL_PREFIXES.filter((prefix) => prefix.endsWith(end))
    return `${end}(?=[\\w+/-]{10})(?<=${joinOnce(own)})`
  }),
  ...toTriggers(LETTER_STARTS.filter((start) => isCommon(start))),
  ...MIDST.map(([before, trigger, rest]) => {
    // A short lookahead is enough: scanning to the end at every trigger would be quadratic.
    return `${trigger}(?=${rest.replaceAll(/,\}/g, '}')})(?<=${before}.)`
  }),
  ':(?=AA[\\w-]{30})(?<=\\d{8,10}:)',
  '\\/(?=[\\w/@-]{16})(?<=(?:services|workflows|triggers|webhooks|webhookb2)\\/)',
]

const RARE_STARTS = LETTER_STARTS.filter((start) => !isCommon(start))

/** The same for keys that start with rare letters, used if {@link RARE_KEY} matches. */
export const RARE_TRIGGERS: readonly string[] = toTriggers(RARE_STARTS)

/** Matches a text that may contain a key starting with rare letters. */
export const RARE_KEY: RegExp = new RegExp(
  RARE_STARTS.map(({before, trigger, after}) => `${before}${trigger}${after}[\\w-]{16}`).join('|'),
)

function toTriggers(starts: typeof LETTER_STARTS): string[] {
  return [...new Set(starts.map(({trigger}) => trigger))].map((trigger) => {
    const own = starts.filter((start) => start.trigger === trigger)
    const around = own.map(({before, after}) => `(?<=${before}.)(?=${after}[\\w+/-]{3})`)
    return `${trigger}(?:${joinOnce(around)})`
  })
}

function splitAtRarest(start: string, rest: string) {
  const outside = start.replaceAll(/\[[^\]]*\]/g, (part) => ' '.repeat(part.length))
  const letter = [...RAREST].find((one) => outside.includes(one)) ?? outside.charAt(0)
  const at = outside.lastIndexOf(letter)
  const trigger = letter === '/' ? '\\/' : letter
  return {
    before: start.slice(0, at).replace(/\\$/, ''),
    trigger,
    after: start.slice(at + 1),
    rest,
  }
}

function joinOnce(sources: readonly string[]): string {
  return [...new Set(sources)].join('|')
}

/** Prefixes that also end ordinary words, or occur in any long run of letters. */
const SHORT =
  /^(?:sk[-_]|sdk-|key-|v1\.0-|eyJ|1\/\/0|api-|API-|ico-|t1\.|sl\.|[ps]at\.|A3-|oy2|EAAA?|SK)$/

/** Whether a word can start at an offset; `alone`: not after a dash or an underscore. */
export type IsFresh = (at: number, alone: boolean) => boolean

const WORD_END = '(?![A-Za-z0-9])'

type Finder = (text: string, at: number, isFresh: IsFresh) => Masked | undefined

/** The patterns to try at each trigger character. */
const FINDERS = new Map<string, Finder[]>()
for (const [, start, rest] of VENDOR_KEYS) {
  if (!isLetterStart(start)) addFinder(start, findByPrefix(start, `${rest}${WORD_END}`))
}
for (const {rest, before, trigger, after} of LETTER_STARTS) {
  const start = new RegExp(`(?<=(${before}))${trigger}${after}`, 'y')
  const shape = new RegExp(`${rest}${WORD_END}`, 'y')
  addFinder(trigger, (text, at, isFresh) => {
    const [end = '', head = ''] = matchAt(start, text, at) ?? []
    if (end === '' || !isFresh(at - head.length, SHORT.test(head + end))) return undefined
    return maskMatch(shape, text, at + end.length)
  })
}
for (const [body, ...prefixes] of PREFIXES) {
  for (const end of ['-', '_', '.']) {
    const own = prefixes.filter((prefix) => prefix.endsWith(end))
    if (own.length > 0) addFinder(end, findByPrefix(own.join('|'), body))
  }
}
for (const [before, trigger, rest] of MIDST) {
  const shape = new RegExp(`(?<=(${before}))${trigger}${rest}`, 'y')
  addFinder(trigger, (text, at, isFresh) => {
    const from = at - (matchAt(shape, text, at)?.[1]?.length ?? 0)
    return from < at && isFresh(from, true) ? {from, to: shape.lastIndex, text: MASK} : undefined
  })
}
for (const [before, trigger, rest] of TAILS) {
  const shape = new RegExp(`(?<=${before}${trigger})${rest}`, 'y')
  addFinder(trigger, (text, at) => maskMatch(shape, text, at + 1))
}

function addFinder(trigger: string, finder: Finder): void {
  const character = trigger.slice(-1)
  FINDERS.set(character, [...(FINDERS.get(character) ?? []), finder])
}

function findByPrefix(prefix: string, body: string): Finder {
  const start = new RegExp(`(?<=(${prefix}))`, 'y')
  const shape = new RegExp(body, 'y')
  return (text, at, isFresh) => {
    const from = at + 1
    const found = matchAt(start, text, from)?.[1]
    if (found === undefined || !isFresh(from - found.length, SHORT.test(found))) return undefined
    return maskMatch(shape, text, from)
  }
}

function maskMatch(shape: RegExp, text: string, from: number): Masked | undefined {
  return matchAt(shape, text, from) ? {from, to: shape.lastIndex, text: MASK} : undefined
}

/** Finds the vendor key around a trigger. */
export function findKey(text: string, at: number, isFresh: IsFresh): Masked | undefined {
  for (const finder of FINDERS.get(text.charAt(at)) ?? []) {
    const masked = finder(text, at, isFresh)
    if (masked !== undefined) return masked
  }
  return undefined
}

const KNOWN_START = new RegExp(
  `^(?:${[
    ...PREFIXES.map(([body, ...prefixes]) => `(?:${prefixes.join('|')})(?=${body})`),
    ...VENDOR_KEYS.map(([, start, rest]) => `${start}(?=${rest})`),
  ].join('|')})`,
)

/** The replacement for a value that is a secret itself. */
export function maskValue(value: string): string {
  return (KNOWN_START.exec(value)?.[0] ?? '') + MASK
}

/** Matches a sticky expression at an offset. */
export function matchAt(shape: RegExp, text: string, at: number): RegExpExecArray | null {
  shape.lastIndex = at
  return shape.exec(text)
}
