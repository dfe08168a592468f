// Draws an animation as an SVG with CSS keyframes. With reduced motion it shows the last frame.

import {drawRow} from './row.js'
import {escapeText, round} from './markup.js'
import {cell, createPalette} from './palette.js'

/** @import {Animation, Take} from './animation.js' */

const TITLE_BAR_HEIGHT = 36
const PADDING = 16
const RADIUS = 10

/**
 * @param {Animation} animation
 * @param {object} options
 * @param {number} options.columns
 * @param {number} options.rows
 * @param {number} options.ticksPerSecond
 * @param {number} options.pauseSeconds The pause before the animation repeats.
 * @param {string} options.title The text in the title bar.
 * @param {string} options.description The description for screen readers.
 * @returns {string}
 */
export function drawSvg(animation, options) {
  const {columns, rows, ticksPerSecond, pauseSeconds, title, description} = options
  // Whole seconds keep the percentages stable when a story is recorded again.
  const loopSeconds = Math.ceil(animation.end / ticksPerSecond + pauseSeconds)
  const ticks = loopSeconds * ticksPerSecond
  const palette = createPalette()
  const drawn = animation.takes.map(({runs}) => drawRow(runs, palette))
  const shared = findShared(drawn)
  const keyframes = createKeyframes()
  const takes = animation.takes.map((take, index) => {
    const row = drawn[index] ?? ''
    const name = keyframes.add(`k${take.from}-${take.until ?? ''}`, toKeyframes(take, ticks))
    const classes = [...(name === '' ? [] : [name]), ...(take.until === null ? [] : ['x'])]
    const attributes = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`
    const y = take.line * cell.height + cell.baseline
    const id = shared.get(row)
    if (id !== undefined) return `<use href="#${id}" y="${y}"${attributes}/>`
    return `<g transform="translate(0 ${y})"${attributes}>${row}</g>`
  })
  const scroll = keyframes.add('m', toScrollKeyframes(animation, ticks))
  const lastLine = animation.scrolls.at(-1)?.line ?? 0
  const [width, height] = [round(columns * cell.width), rows * cell.height]
  const [fullWidth, fullHeight] = [
    Math.ceil(width + PADDING * 2),
    height + TITLE_BAR_HEIGHT + PADDING * 2,
  ]
  const css = [
    ...palette.css(),
    `.v{transform:translateY(${-lastLine * cell.height}px)}.x{visibility:hidden}`,
    `.v,.v>*{animation:${loopSeconds}s step-end infinite}`,
    ...keyframes.css(),
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
    `<g transform="translate(${PADDING} ${TITLE_BAR_HEIGHT + PADDING})" clip-path="url(#c)">`,
    `<g class="v${scroll === '' ? '' : ` ${scroll}`}">`,
    ...takes,
    '</g>',
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

/**
 * Ids for the rows that occur more than once.
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

/** Collects keyframes by name. Empty ones are omitted. */
function createKeyframes() {
  /** @type {Map<string, string>} */
  const kept = new Map()
  return {
    /**
     * @param {string} name
     * @param {string} frames
     */
    add(name, frames) {
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
 * The keyframes that show and hide a row.
 *
 * @param {Take} take
 * @param {number} ticks
 */
function toKeyframes({from, until}, ticks) {
  const hide = from === 0 ? '' : '0%{visibility:hidden}'
  if (until === null)
    return hide === '' ? '' : `${hide}${formatPercent(from, ticks)}{visibility:visible}`
  return `${hide}${formatPercent(from, ticks)}{visibility:visible}${formatPercent(until, ticks)}{visibility:hidden}`
}

/**
 * @param {Animation} animation
 * @param {number} ticks
 */
function toScrollKeyframes({scrolls}, ticks) {
  if (scrolls.length === 1) return ''
  return scrolls
    .map(({at, line}) => {
      const move = line === 0 ? 'none' : `translateY(${-line * cell.height}px)`
      return `${formatPercent(at, ticks)}{transform:${move}}`
    })
    .join('')
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 */
function drawWindow(width, height, title) {
  const middle = TITLE_BAR_HEIGHT / 2
  const dots = [0, 1, 2].map((index) => `<circle cx="${20 + index * 18}" cy="${middle}" r="5"/>`)
  return [
    `<rect class="w" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${RADIUS}"/>`,
    `<path class="l" d="M.5 ${TITLE_BAR_HEIGHT + 0.5}H${width - 0.5}"/>`,
    `<g class="o">${dots.join('')}</g>`,
    `<text class="n" x="${width / 2}" y="${middle + 4.5}">${escapeText(title)}</text>`,
  ].join('\n')
}

/**
 * @param {number} at
 * @param {number} ticks
 */
function formatPercent(at, ticks) {
  return `${Number(((at / ticks) * 100).toFixed(3))}%`
}
