import {colored, plain, wantsColor} from '../terminal/colors.ts'
import type {LineStyle, ScreenStyle} from '../terminal/layout.ts'
import {unicode, ascii, wantsUnicode} from '../terminal/symbols.ts'

/** How text is to look on stdout: what it and the environment want. */
export function getStdoutStyle(): LineStyle & {hasColor: boolean} {
  const {env, stdout} = process
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb'
  const hasColor = wantsColor(env, stdout.isTTY)
  return {
    hasColor,
    colors: hasColor ? colored : plain,
    symbols: wantsUnicode(env) ? unicode : ascii,
    width: isTerminal ? getStdoutWidth() : undefined,
  }
}

/** The columns of the terminal; some report 0 when they do not know. */
function getStdoutWidth(): number {
  return process.stdout.columns || DEFAULT_WIDTH
}

const DEFAULT_WIDTH = 80

/** How a screen is to look; `undefined` when stdout is none. */
export function getScreenStyle(): ScreenStyle | undefined {
  const {width, ...style} = getStdoutStyle()
  return width === undefined ? undefined : {...style, width}
}
