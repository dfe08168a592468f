import {colored, plain, wantsColor} from '../terminal/colors.ts'
import type {LineStyle, ScreenStyle} from '../terminal/layout.ts'
import {unicode, ascii, wantsUnicode} from '../terminal/symbols.ts'

/** Returns colours, symbols and width for stdout, by terminal and environment. */
export function getStdoutStyle(): LineStyle & {hasColor: boolean} {
  const {env, stdout} = process
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb'
  const hasColor = wantsColor(env, stdout.isTTY)
  return {
    hasColor,
    colors: hasColor ? colored : plain,
    symbols: wantsUnicode(env) ? unicode : ascii,
    // Some terminals report 0 columns.
    width: isTerminal ? stdout.columns || DEFAULT_WIDTH : undefined,
  }
}

const DEFAULT_WIDTH = 80

/** Returns the style for a screen; `undefined` if stdout is not a terminal. */
export function getScreenStyle(): ScreenStyle | undefined {
  const {width, ...style} = getStdoutStyle()
  return width === undefined ? undefined : {...style, width}
}
