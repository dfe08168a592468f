import type {IconName} from '../ui/icon.tsx'
import type {IconPaths} from './canvas-icons.tsx'
import {LEAST_WIDTH} from './hit-test.ts'
import type {BarColor, Palette} from '../ui/palette.ts'
import {BAR_HEIGHT} from './place-tracks.ts'

/** Drawing context besides the data. */
export interface Brush {
  context: CanvasRenderingContext2D
  palette: Palette
  icons: IconPaths
  hatch: CanvasPattern | string
  /** The width of a character of the fixed font. */
  letterWidth: number
  /** Device pixels per CSS pixel. */
  ratio: number
}

/** A bar to draw. */
export interface Bar {
  left: number
  right: number
  top: number
  color: BarColor
  hasFailed: boolean
  isOpen: boolean
  /** Whether it represents several spans. */
  isMerged: boolean
  label?: string | undefined
}

const LABEL_WIDTH = 40

/** Draws a bar: tinted with an edge and its name, or a solid stroke when it is too narrow. */
export function drawBar(brush: Brush, bar: Bar): void {
  const {context, palette} = brush
  const left = snap(bar.left, brush.ratio)
  const width = snap(bar.right, brush.ratio) - left
  const color = bar.hasFailed ? palette.bad : bar.color
  context.fillStyle = color.edge
  if (width < LEAST_WIDTH + 1) {
    // A failure is taller, for users who do not see red; but thin among others, or everything would look red.
    const rise = bar.hasFailed ? 2 : 0
    const least = bar.hasFailed && bar.isMerged ? 2 : LEAST_WIDTH
    context.fillRect(left, bar.top - rise, Math.max(least, width), BAR_HEIGHT + rise)
    return
  }
  fillBox(context, {left, width, top: bar.top, isOpen: bar.isOpen}, 3, color.fill)
  if (bar.label === undefined || width < LABEL_WIDTH) return
  const label = bar.hasFailed ? `✕ ${bar.label}` : bar.label
  const room = width - 10
  context.font = `11px ${palette.mono}`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillStyle = palette.text
  context.fillText(
    cutText(label, Math.floor(room / brush.letterWidth)),
    left + 6,
    bar.top + BAR_HEIGHT / 2 + 0.5,
    room,
  )
}

/**
 * Collects bars of a row that are only strokes, and draws them colour by colour: there may be thousands. Each is
 * cut where the next one starts, so that their order does not matter.
 */
export function createStrokes(
  {context, ratio}: Brush,
  top: number,
): {add: (left: number, right: number, color: string) => boolean; draw: () => void} {
  const sides = new Map<string, number[]>()
  let last: {left: number; width: number; color: string} | undefined
  const push = (until: number) => {
    if (last === undefined || until <= last.left) return
    const list = sides.get(last.color)
    const width = Math.min(last.width, until - last.left)
    if (list === undefined) sides.set(last.color, [last.left, width])
    else list.push(last.left, width)
  }
  return {
    add(start, end, color) {
      const left = snap(start, ratio)
      const width = snap(end, ratio) - left
      const isStroke = width < LEAST_WIDTH + 1
      if (isStroke && last?.color === color && left <= last.left + last.width) {
        last.width = left - last.left + Math.max(LEAST_WIDTH, width)
        return true
      }
      push(left)
      last = isStroke ? {left, width: Math.max(LEAST_WIDTH, width), color} : undefined
      return isStroke
    },
    draw() {
      push(Infinity)
      for (const [color, list] of sides) {
        context.fillStyle = color
        for (let at = 0; at < list.length; at += 2) {
          context.fillRect(list[at] ?? 0, top, list[at + 1] ?? 0, BAR_HEIGHT)
        }
      }
    },
  }
}

/** Draws a wait: hatched, with an icon and its duration if they fit. */
export function drawWait(
  brush: Brush,
  wait: Pick<Bar, 'left' | 'right' | 'top' | 'isOpen'> & {icon: IconName | undefined; text: string},
): void {
  const {context, palette} = brush
  const left = snap(wait.left, brush.ratio)
  const width = snap(wait.right, brush.ratio) - left
  context.fillStyle = palette.wait.edge
  if (width < LEAST_WIDTH + 1) {
    context.fillRect(left, wait.top, LEAST_WIDTH, BAR_HEIGHT)
    return
  }
  fillBox(context, {left, width, top: wait.top, isOpen: wait.isOpen}, 1, brush.hatch)
  if (wait.icon === undefined || width < 14) return
  context.font = `11px ${palette.mono}`
  const textWidth = wait.text.length * brush.letterWidth
  const hasText = width > textWidth + 28
  const inner = hasText ? textWidth + 21 : Math.min(14, width - 2)
  const start = left + (width - inner) / 2
  context.fillStyle = palette.wait.fill
  context.fillRect(start, wait.top + 1, inner, BAR_HEIGHT - 2)
  drawIcon(
    brush,
    wait.icon,
    start + (hasText ? 2 : (inner - 12) / 2),
    wait.top + 2,
    12,
    palette.wait.edge,
  )
  if (!hasText) return
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillStyle = palette.text
  context.fillText(wait.text, start + 17, wait.top + BAR_HEIGHT / 2 + 0.5)
}

/** Draws an icon of a wait or a mark. */
export function drawIcon(
  {context, icons}: Brush,
  name: IconName,
  left: number,
  top: number,
  size: number,
  color: string,
): void {
  const icon = icons.get(name)
  if (icon === undefined) return
  context.save()
  context.translate(left, top)
  context.scale(size / 16, size / 16)
  context.strokeStyle = context.fillStyle = color
  context.lineWidth = 1.5
  context.lineCap = context.lineJoin = 'round'
  context.stroke(icon.stroke)
  context.fill(icon.fill)
  context.restore()
}

/** Draws the outline of a selected or hovered bar. */
export function drawOutline(
  {context, palette, ratio}: Brush,
  bar: Pick<Bar, 'left' | 'right' | 'top'>,
): void {
  const left = snap(bar.left, ratio)
  const width = Math.max(LEAST_WIDTH, snap(bar.right, ratio) - left)
  context.strokeStyle = palette.accent
  context.lineWidth = 2
  context.beginPath()
  context.roundRect(left - 2, bar.top - 2, width + 4, BAR_HEIGHT + 4, 3)
  context.stroke()
}

/** Stripes for waits. */
export function createHatch(
  context: CanvasRenderingContext2D,
  palette: Palette,
  ratio: number,
): CanvasPattern | string {
  const side = 8
  const tile = document.createElement('canvas')
  tile.width = tile.height = Math.round(side * ratio)
  const inner = tile.getContext('2d')
  if (inner === null) return palette.wait.fill
  inner.scale(tile.width / side, tile.width / side)
  inner.fillStyle = palette.wait.fill
  inner.fillRect(0, 0, side, side)
  inner.strokeStyle = palette.hatch
  inner.lineWidth = 2
  inner.beginPath()
  for (const shift of [-side, 0, side]) {
    inner.moveTo(shift - 2, side + 2)
    inner.lineTo(shift + side + 2, -2)
  }
  inner.stroke()
  const pattern = context.createPattern(tile, 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(side / tile.width))
  return pattern ?? palette.wait.fill
}

/** Fills a box with its edge and its inside; an open one has no right edge. */
function fillBox(
  context: CanvasRenderingContext2D,
  {left, width, top, isOpen}: {left: number; width: number; top: number; isOpen: boolean},
  leftEdge: number,
  inside: CanvasPattern | string,
): void {
  context.beginPath()
  context.roundRect(left, top, width, BAR_HEIGHT, isOpen ? [2, 0, 0, 2] : 2)
  context.fill()
  context.fillStyle = inside
  context.fillRect(left + leftEdge, top + 1, width - leftEdge - (isOpen ? 0 : 1), BAR_HEIGHT - 2)
}

/** Aligns an edge to a device pixel, so that it is sharp. */
export function snap(x: number, ratio: number): number {
  return Math.round(x * ratio) / ratio
}

/** Cuts a text to a number of characters, ending in `…`. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, Math.max(0, length - 1))
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`
}
