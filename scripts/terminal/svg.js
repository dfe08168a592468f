// Draws a film as one SVG that plays by itself: CSS moves it, and without motion it shows how it ended.

import {drawRow} from './row.js'
import {escapeText, round} from './markup.js'
import {cell, createPalette} from './palette.js'

/** @import {Film, Take} from './film.js' */

/** The bar at the top of the window, and the space around the text. */
const BAR = 36
const SPACE = 16
const RADIUS = 10

/**
 * @param {Film} film
 * @param {object} options
 * @param {number} options.columns
 * @param {number} options.rows
 * @param {number} options.ticksPerSecond
 * @param {number} options.pauseSeconds How long the end is seen before it begins again.
 * @param {string} options.title What the bar says.
 * @param {string} options.description For those who do not see it.
 * @returns {string}
 */
export function drawSvg(film, options) {
  const {columns, rows, ticksPerSecond, pauseSeconds, title, description} = options
  // In whole seconds: shares of the time are then the same whenever the same is filmed.
  const loopSeconds = Math.ceil(film.end / ticksPerSecond + pauseSeconds)
  const ticks = loopSeconds * ticksPerSecond
  const palette = createPalette()
  const drawn = film.takes.map(({runs}) => drawRow(runs, palette))
  const shared = findShared(drawn)
  const names = createNames()
  const takes = film.takes.map((take, index) => {
    const row = drawn[index] ?? ''
    const name = names.of(`k${take.from}-${take.until ?? ''}`, keyframesOf(take, ticks))
    const classes = [...(name === '' ? [] : [name]), ...(take.until === null ? [] : ['x'])]
    const attributes = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
    const y = take.line * cell.height + cell.baseline
    const id = shared.get(row)
    if (id !== undefined) return `<use href="#${id}" y="${y}"${attributes}/>`
    return `<g transform="translate(0 ${y})"${attributes}>${row}</g>`
  })
  const scroll = names.of('m', scrollFrames(film, ticks))
  const lastLine = film.scrolls.at(-1)?.line ?? 0
  const [width, height] = [round(columns * cell.width), rows * cell.height]
  const [fullWidth, fullHeight] = [Math.ceil(width + SPACE * 2), height + BAR + SPACE * 2]
  const css = [
    ...palette.css(),
    `.v{transform:translateY(${-lastLine * cell.height}px)}.x{visibility:hidden}`,
    `.v,.v>*{animation:${loopSeconds}s step-end infinite}`,
    ...names.css(),
    '@media (prefers-reduced-motion:reduce){.v,.v>*{animation:none}}',
  ]
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${fullWidth} ${fullHeight}" width="${fullWidth}" height="${fullHeight}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escapeText(title)}</title>`,
    `<desc id="d">${escapeText(description)}</desc>`,
    '<style>',
    ...css,
    '</style>',
    '<defs>',
    `<clipPath id="c"><rect width="${width}" height="${height}"/></clipPath>`,
    ...[...shared].map(([row, id]) => `<g id="${id}">${row}</g>`),
    '</defs>',
    drawWindow(fullWidth, fullHeight, title),
    `<g transform="translate(${SPACE} ${BAR + SPACE})" clip-path="url(#c)">`,
    `<g class="v${scroll === '' ? '' : ` ${scroll}`}">`,
    ...takes,
    '</g>',
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

/**
 * Names for the rows that are seen more than once.
 *
 * @param {string[]} drawn
 * @returns {Map<string, string>}
 */
function findShared(drawn) {
  const counts = new Map()
  for (const row of drawn) counts.set(row, (counts.get(row) ?? 0) + 1)
  const often = [...counts].filter(([, count]) => count > 1)
  return new Map(often.map(([row], index) => [row, `r${index}`]))
}

/** Keeps keyframes by name; those that do nothing have none. */
function createNames() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  return {
    /**
     * @param {string} name
     * @param {string} frames
     */
    of(name, frames) {
      if (frames === '') return ''
      kept.set(name, frames)
      return name
    },
    css: () =>
      Array.from(
        kept,
        ([name, frames]) => `@keyframes ${name}{${frames}}.${name}{animation-name:${name}}`,
      ),
  }
}

/**
 * When a row is seen. What it is without any motion is how it ends.
 *
 * @param {Take} take
 * @param {number} ticks
 */
function keyframesOf({from, until}, ticks) {
  const hide = from === 0 ? '' : '0%{visibility:hidden}'
  if (until === null) return hide === '' ? '' : `${hide}${percent(from, ticks)}{visibility:visible}`
  return `${hide}${percent(from, ticks)}{visibility:visible}${percent(until, ticks)}{visibility:hidden}`
}

/**
 * @param {Film} film
 * @param {number} ticks
 */
function scrollFrames({scrolls}, ticks) {
  if (scrolls.length === 1) return ''
  return scrolls
    .map(({at, line}) => {
      const move = line === 0 ? 'none' : `translateY(${-line * cell.height}px)`
      return `${percent(at, ticks)}{transform:${move}}`
    })
    .join('')
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 */
function drawWindow(width, height, title) {
  const middle = BAR / 2
  const dots = [0, 1, 2].map((index) => `<circle cx="${20 + index * 18}" cy="${middle}" r="5"/>`)
  return [
    `<rect class="w" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${RADIUS}"/>`,
    `<path class="l" d="M.5 ${BAR + 0.5}H${width - 0.5}"/>`,
    `<g class="o">${dots.join('')}</g>`,
    `<text class="n" x="${width / 2}" y="${middle + 4.5}">${escapeText(title)}</text>`,
  ].join('\n')
}

/**
 * @param {number} at
 * @param {number} ticks
 */
function percent(at, ticks) {
  return `${Number(((at / ticks) * 100).toFixed(3))}%`
}
