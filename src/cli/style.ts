import {colored, plain, wantsColor} from '../terminal/colors.ts'
import type {LineStyle, ScreenStyle} from '../terminal/layout.ts'
import {unicode, ascii, wantsUnicode} from '../terminal/symbols.ts'

/** How text is to look on stdout: what it and the environment want. */
export function stdoutStyle(): LineStyle & {hasColor: boolean} {
  const {env, stdout} = process
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb'
  const hasColor = wantsColor(env, stdout.isTTY)
  return {
    hasColor,
    colors: hasColor ? colored : plain,
    symbols: wantsUnicode(env) ? unicode : ascii,
    width: isTerminal ? stdoutWidth() : undefined,
  }
}

/** The columns of the terminal; some report 0 when they do not know. */
function stdoutWidth(): number {
  return process.stdout.columns || DEFAULT_WIDTH
}

const DEFAULT_WIDTH = 80

/** How a screen is to look; `undefined` when stdout is none. */
export function screenStyle(): ScreenStyle | undefined {
  const {width, ...style} = stdoutStyle()
  return width === undefined ? undefined : {...style, width}
}
