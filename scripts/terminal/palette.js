// The light and dark colours of the SVG, and their CSS classes.

/** @import {Style} from './style.js' */

/** Sizes of a terminal cell in pixels. */
export const cell = {width: 8.43, height: 20, font: 14, baseline: 15}

/** Light and dark colours of the window, as in the dashboard. */
const WINDOW = {
  ground: ['#ffffff', '#16191c'],
  text: ['#1a1b1e', '#e8eaed'],
  line: ['#cbcbc4', '#373d44'],
  dot: ['#d9d9d3', '#373d44'],
  name: ['#65676c', '#8f969e'],
}

/** The sixteen ANSI colours. @type {readonly (readonly [light: string, dark: string])[]} */
const SIXTEEN = [
  ['#2b1d00', '#221700'],
  ['#b42318', '#ff8f83'],
  ['#1b7340', '#62ce8e'],
  ['#855600', '#f0b955'],
  ['#1f55c4', '#8fb3ff'],
  ['#7a1760', '#d983b8'],
  ['#0b6e86', '#6cc7d9'],
  ['#55575c', '#c3cad1'],
  ['#65676c', '#8f969e'],
  ['#c4281c', '#ff8f83'],
  ['#1b7340', '#62ce8e'],
  ['#855600', '#f0b955'],
  ['#1f55c4', '#8fb3ff'],
  ['#7a1760', '#d983b8'],
  ['#0b6e86', '#6cc7d9'],
  ['#ffffff', '#ffffff'],
]

/** Background colours, which are brighter than text of the same colour in the light theme. @type {Record<number, [string, string]>} */
const BACKGROUNDS = {1: ['#c4281c', '#a8332a'], 3: ['#f2b84b', '#f0b955']}

/**
 * Collects the classes that are used, so that the SVG contains only these.
 *
 * @returns {{toTextClass(style: Readonly<Style>): string, toBackgroundClass(style: Readonly<Style>): string | undefined, css(): string[]}}
 */
export function createPalette() {
  /** @type {Map<string, readonly [light: string, dark: string]>} */
  const used = new Map()
  /** @type {Set<string>} */
  const usedAttributes = new Set()
  return {
    toTextClass(style) {
      const {color, background, inverse, bold, dim, italic, underline} = style
      const shown = inverse ? (background ?? 'ground') : color
      const fill = shown === null ? [] : [use('f', shown, SIXTEEN)]
      const attributes = Object.entries({b: bold, d: dim, i: italic, u: underline})
      const names = attributes.flatMap(([name, isOn]) => (isOn ? [name] : []))
      for (const name of names) usedAttributes.add(name)
      return [...fill, ...names].join(' ')
    },
    toBackgroundClass({color, background, inverse}) {
      const shown = inverse ? (color ?? 'text') : background
      return shown === null ? undefined : use('g', shown, {...SIXTEEN, ...BACKGROUNDS})
    },
    css() {
      const {ground, text, line, dot, name} = WINDOW
      const font = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
      const rules = Object.entries(ATTRIBUTE_RULES).filter(([key]) => usedAttributes.has(key))
      return [
        `text{font:${cell.font}px ${font};font-variant-ligatures:none;white-space:pre}`,
        `.n{font:12px ${font};text-anchor:middle}.s{fill-opacity:.6}`,
        ...rules.map(([key, rule]) => `.${key}{${rule}}`),
        paint(0),
        `@media (prefers-color-scheme:dark){${paint(1)}}`,
      ]

      /** @param {0 | 1} scheme */
      function paint(scheme) {
        return [
          `text,.s{fill:${text[scheme]}}.w{fill:${ground[scheme]};stroke:${line[scheme]}}`,
          `.l{stroke:${line[scheme]}}.o{fill:${dot[scheme]}}.n{fill:${name[scheme]}}`,
          ...Array.from(used, ([key, pair]) => `.${key}{fill:${pair[scheme]}}`),
        ].join('')
      }
    },
  }

  /**
   * @param {string} prefix
   * @param {number | string} color One of the sixteen, `#rrggbb`, or a name of the window colours.
   * @param {Readonly<Record<number, readonly [string, string]>>} table
   */
  function use(prefix, color, table) {
    const key = `${prefix}${String(color).replace('#', '')}`
    used.set(key, typeof color === 'number' ? (table[color] ?? [key, key]) : toPair(color))
    return key
  }
}

/** CSS of the text attributes. @type {Record<string, string>} */
const ATTRIBUTE_RULES = {
  b: 'font-weight:700',
  d: 'opacity:.66',
  i: 'font-style:italic',
  u: 'text-decoration:underline',
}

/**
 * @param {string} color
 * @returns {readonly [string, string]}
 */
function toPair(color) {
  if (color === 'ground' || color === 'text') {
    const [light = '', dark = ''] = WINDOW[color]
    return [light, dark]
  }
  return [color, color]
}
