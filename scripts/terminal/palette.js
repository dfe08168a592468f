// The colours of the picture, light and dark, and the classes that stand for them.

/** @import {Style} from './style.js' */

/** The size of a cell, and of the letters in it, in pixels. */
export const cell = {width: 8.43, height: 20, font: 14, baseline: 15}

/** Colours by name: in the light and in the dark. They are those of the dashboard. */
const WINDOW = {
  ground: ['#ffffff', '#16191c'],
  text: ['#1a1b1e', '#e8eaed'],
  line: ['#cbcbc4', '#373d44'],
  dot: ['#d9d9d3', '#373d44'],
  name: ['#65676c', '#8f969e'],
}

/** The sixteen. @type {readonly (readonly [light: string, dark: string])[]} */
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

/** What is behind text is brighter than text of its colour in the light. @type {Record<number, [string, string]>} */
const GROUNDS = {1: ['#c4281c', '#a8332a'], 3: ['#f2b84b', '#f0b955']}

/**
 * Knows which classes were asked for, so that only these are in the picture.
 *
 * @returns {{classOf(style: Readonly<Style>): string, groundOf(style: Readonly<Style>): string | undefined, css(): string[]}}
 */
export function createPalette() {
  /** @type {Map<string, readonly [light: string, dark: string]>} */
  const used = new Map()
  /** @type {Set<string>} */
  const manners = new Set()
  return {
    classOf(style) {
      const {color, background, inverse, bold, dim, italic, underline} = style
      const shown = inverse ? (background ?? 'ground') : color
      const fill = shown === null ? [] : [use('f', shown, SIXTEEN)]
      const how = Object.entries({b: bold, d: dim, i: italic, u: underline})
      const ways = how.flatMap(([name, isOn]) => (isOn ? [name] : []))
      for (const way of ways) manners.add(way)
      return [...fill, ...ways].join(' ')
    },
    groundOf({color, background, inverse}) {
      const shown = inverse ? (color ?? 'text') : background
      return shown === null ? undefined : use('g', shown, {...SIXTEEN, ...GROUNDS})
    },
    css() {
      const {ground, text, line, dot, name} = WINDOW
      const font = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
      const kept = Object.entries(MANNERS).filter(([manner]) => manners.has(manner))
      return [
        `text{font:${cell.font}px ${font};font-variant-ligatures:none;white-space:pre}`,
        `.n{font:12px ${font};text-anchor:middle}.s{fill-opacity:.6}`,
        ...kept.map(([manner, rule]) => `.${manner}{${rule}}`),
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
   * @param {number | string} color One of the sixteen, `#rrggbb`, or one of the window.
   * @param {Readonly<Record<number, readonly [string, string]>>} table
   */
  function use(prefix, color, table) {
    const key = `${prefix}${String(color).replace('#', '')}`
    used.set(key, typeof color === 'number' ? (table[color] ?? [key, key]) : pairOf(color))
    return key
  }
}

/** How text is written, apart from its colour. @type {Record<string, string>} */
const MANNERS = {
  b: 'font-weight:700',
  d: 'opacity:.66',
  i: 'font-style:italic',
  u: 'text-decoration:underline',
}

/**
 * @param {string} color
 * @returns {readonly [string, string]}
 */
function pairOf(color) {
  if (color === 'ground' || color === 'text') {
    const [light = '', dark = ''] = WINDOW[color]
    return [light, dark]
  }
  return [color, color]
}
