import {getTheme} from './theme.ts'
import type {WorkKind} from './work.ts'

/** The colours of a theme for a canvas. */
export type Palette = ReturnType<typeof readPalette>

/** The edge of a bar in full colour, and the tint inside. */
export interface BarColor {
  edge: string
  fill: string
}

/** Reads the current colours at an element. */
export function readPalette(element: HTMLElement) {
  return readColors(element, ({read, readBar, style}) => ({
    surface: read('var(--surface)'),
    line: read('var(--line)'),
    control: read('var(--ctl)'),
    text: read('var(--t1)'),
    textSecond: read('var(--t2)'),
    accent: read('var(--accent)'),
    now: read('var(--run)'),
    bad: readBar('--bad'),
    wait: {edge: read('var(--wait)'), fill: read('var(--wait-t)')},
    hatch: read('color-mix(in srgb, var(--wait) 32%, var(--wait-t))'),
    kinds: {
      read: readBar('--read'),
      edit: readBar('--edit'),
      shell: readBar('--shell'),
      web: readBar('--web'),
      agent: readBar('--agent'),
      note: readBar('--t3'),
    } satisfies Record<WorkKind, BarColor>,
    mono: style.getPropertyValue('--mono').trim() || 'monospace',
    sans: style.getPropertyValue('--sans').trim() || 'sans-serif',
  }))
}

/** Resolves colours with the browser. */
export interface ColorReader {
  read(value: string): string
  /** The colour of a token, and its tint. */
  readBar(token: string): BarColor
  style: CSSStyleDeclaration
}

/** Resolves CSS colours at an element. */
export function readColors<T>(element: HTMLElement, pick: (reader: ColorReader) => T): T {
  const probe = document.createElement('span')
  // In forced-colours mode mixed colours would be replaced.
  probe.style.setProperty('forced-color-adjust', 'none')
  element.append(probe)
  const style = getComputedStyle(probe)
  const read = (value: string) => {
    probe.style.color = value
    return style.color
  }
  const tint = TINTS[getTheme()]
  const readBar = (token: string): BarColor => ({
    edge: read(`var(${token})`),
    fill: read(`color-mix(in srgb, var(${token}) ${tint}, var(--surface))`),
  })
  const picked = pick({read, readBar, style})
  probe.remove()
  return picked
}

const TINTS = {light: 'var(--tint-light)', dark: 'var(--tint-dark)'}
