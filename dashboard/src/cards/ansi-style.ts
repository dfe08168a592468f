import {classNames} from '../ui/class-names.ts'
import styles from './ansi.module.css'

/** The style of terminal text; colours are 0 to 15. */
export interface AnsiStyle {
  color?: number | undefined
  background?: number | undefined
  bold?: boolean | undefined
  dim?: boolean | undefined
  italic?: boolean | undefined
  underline?: boolean | undefined
  strike?: boolean | undefined
  inverse?: boolean | undefined
}

/** The style after an SGR sequence, by its parameters such as `1;38;5;208`. */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  let next: AnsiStyle = {...style}
  // With colons the rest belongs to the first number, as in `4:3` and `38:2::255:0:0`.
  const groups = parameters.split(';', MAX_PARAMETERS).map((group) => group.split(':').map(Number))
  for (let at = 0; at < groups.length; at++) {
    const [code = 0, ...rest] = groups[at] ?? []
    if (code === 38 || code === 48) {
      const values =
        rest.length > 0 ? rest : groups.slice(at + 1, at + 5).map(([first = 0]) => first)
      const name = code === 38 ? 'color' : 'background'
      next[name] = readColor(rest.length > 3 ? [rest[0] ?? 0, ...rest.slice(-3)] : values)
      if (rest.length === 0) at += values[0] === 2 ? 4 : values[0] === 5 ? 2 : 0
    } else if (code === 0) next = {}
    else if (code === 4) next.underline = rest[0] !== 0
    else if (code >= 30 && code <= 37) next.color = code - 30
    else if (code >= 90 && code <= 97) next.color = code - 82
    else if (code >= 40 && code <= 47) next.background = code - 40
    else if (code >= 100 && code <= 107) next.background = code - 92
    else Object.assign(next, CHANGES.get(code))
  }
  return next
}

/** The classes of a style. Hidden and blinking text is shown normally. */
export function toClassName(style: AnsiStyle): string {
  const {color, background, inverse} = style
  const behind = inverse === true ? (color ?? DEFAULT) : background
  return classNames(
    // On a background, the text has the one colour that is readable there.
    behind === undefined && color !== undefined && COLORS[color],
    behind !== undefined && styles.onColor,
    // Black and white have the same neutral background.
    behind !== undefined && HUES[(behind % 8) - 1],
    style.bold === true && styles.bold,
    style.dim === true && styles.dim,
    style.italic === true && styles.italic,
    style.underline === true && styles.underline,
    style.strike === true && styles.strike,
  )
}

/** The background of inverted text without a colour. */
const DEFAULT = -1

const HUES = [styles.red, styles.green, styles.yellow, styles.blue, styles.magenta, styles.cyan]

/** The bright colours differ from the others in black and white only. */
const COLORS = [styles.neutral, ...HUES, styles.neutral, styles.gray, ...HUES, styles.bright]

const MAX_PARAMETERS = 32

const CHANGES = new Map<number, AnsiStyle>([
  [1, {bold: true}],
  [2, {dim: true}],
  [3, {italic: true}],
  [7, {inverse: true}],
  [9, {strike: true}],
  [21, {underline: true}],
  [22, {bold: undefined, dim: undefined}],
  [23, {italic: undefined}],
  [24, {underline: undefined}],
  [27, {inverse: undefined}],
  [29, {strike: undefined}],
  [39, {color: undefined}],
  [49, {background: undefined}],
])

function readColor([space, ...values]: number[]): number | undefined {
  if (space === 2) return nearest(values)
  const [index = 0] = values
  if (space !== 5 || !(index >= 0 && index <= 255)) return undefined
  if (index < 16) return index
  if (index >= 232) return nearest([8 + (index - 232) * 10])
  const step = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  const cube = index - 16
  return nearest([step(Math.floor(cube / 36)), step(Math.floor(cube / 6) % 6), step(cube % 6)])
}

const PALETTE = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
]

function nearest([red = 0, green = red, blue = red]: number[]): number {
  let best = 0
  let bestDistance = Infinity
  for (const [index, [r = 0, g = 0, b = 0]] of PALETTE.entries()) {
    const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2
    if (distance < bestDistance) {
      best = index
      bestDistance = distance
    }
  }
  return best
}
