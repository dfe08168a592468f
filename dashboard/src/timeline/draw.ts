import type {TimelineMark, WaitSpan} from '../model/timeline-data.ts'
import {formatElapsed, formatTight} from '../ui/figures.ts'
import type {IconName} from '../ui/icon.tsx'
import {NOTICE_STYLES} from '../ui/notice-styles.ts'
import {WORK} from '../ui/work.ts'
import {
  createStrokes,
  drawBar,
  drawIcon,
  drawOutline,
  drawWait,
  snap,
  type Brush,
} from './draw-bar.ts'
import {LEAST_WIDTH} from './hit-test.ts'
import {mergeSpans, type Cluster, type Grid} from './merge-spans.ts'
import type {SpanRow} from './pack-rows.ts'
import {BAR_HEIGHT, ROW_HEIGHT, type PlacedTrack} from './place-tracks.ts'
import type {View} from '../ui/scale.ts'

/** The visible part of the timeline. */
export interface Scene {
  placed: readonly PlacedTrack[]
  view: View
  width: number
  /** The part of the lanes that the canvas covers, in pixels from their top. */
  top: number
  height: number
  /** The start of the run: merging does not change when the view moves. */
  origin: number
  ticks: readonly number[]
  turns: readonly number[]
  hasLabelsAbove: boolean
}

/** A scene at a moment, up to which open spans extend. */
type SceneAt = Scene & {edge: number}

/** The position of a bar. */
export interface Outline {
  start: number
  end: number
  top: number
  /** Whether it is an icon, centred on its time. */
  isMark: boolean
}

/** The moving and temporary parts. */
export interface LiveState {
  /** The end of open spans. */
  edge: number
  now: number | undefined
  /** The position of a replay. */
  cursor: number | undefined
  outlines: readonly Outline[]
}

/** Draws everything that has ended. */
export function drawHistory(brush: Brush, scene: Scene): void {
  clear(brush, scene)
  const sceneAt = {...scene, edge: Infinity}
  for (const placed of scene.placed) {
    if (!isOnCanvas(scene, placed)) continue
    drawFrame(brush, scene, placed)
    drawModel(brush, sceneAt, placed)
    for (const [row, top] of listRows(placed)) drawTools(brush, sceneAt, placed, row, top, 'closed')
    drawWaits(brush, sceneAt, placed, 'closed')
    drawMarks(brush, scene, placed)
  }
}

/** Draws the moving parts: open bars, silence, the current time, selection and hover. */
export function drawLive(
  brush: Brush,
  scene: Scene,
  {edge, now, cursor, outlines}: LiveState,
): void {
  clear(brush, scene)
  const sceneAt = {...scene, edge}
  for (const placed of scene.placed) {
    if (!isOnCanvas(scene, placed)) continue
    for (const [row, top] of listRows(placed)) {
      if (row.open.length > 0) drawTools(brush, sceneAt, placed, row, top, 'open')
    }
    drawWaits(brush, sceneAt, placed, 'open')
    drawSilence(brush, sceneAt, placed)
    if (now !== undefined) drawLine(brush, scene, placed, now, brush.palette.now)
    if (cursor !== undefined) drawLine(brush, scene, placed, cursor, brush.palette.accent)
  }
  for (const {start, end, top, isMark} of outlines) {
    const sides = toSides(sceneAt, {start, end})
    const left = isMark ? toX(scene, start) - MARK_SIZE / 2 : sides.left
    const right = isMark ? left + MARK_SIZE : sides.right
    if (left < scene.width + MARK_SIZE && right > -MARK_SIZE) drawOutline(brush, {left, right, top})
  }
}

/** Maps time to pixels in a scene. */
export function toGrid({view, width, origin}: Pick<Scene, 'view' | 'width' | 'origin'>): Grid {
  return {origin, msPerPixel: (view.end - view.start) / Math.max(1, width)}
}

function toX({view, width}: Scene, time: number): number {
  return ((time - view.start) / (view.end - view.start)) * width
}

/** The sides of a bar, clipped just outside the screen, so that its name stays visible. */
function toSides(
  scene: SceneAt,
  {start, end}: Pick<Cluster, 'start' | 'end'>,
): {left: number; right: number} {
  return {
    left: Math.max(toX(scene, start), -LEAST_WIDTH),
    right: Math.min(toX(scene, Math.min(end, scene.edge)), scene.width + LEAST_WIDTH),
  }
}

function clear({context, ratio}: Brush, scene: Scene): void {
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
  context.setTransform(ratio, 0, 0, ratio, 0, -scene.top * ratio)
}

function isOnCanvas(scene: Scene, {top, height}: PlacedTrack): boolean {
  return top < scene.top + scene.height && top + height > scene.top
}

function listRows({track, rowTop}: PlacedTrack): readonly (readonly [SpanRow, number])[] {
  return track.tools.rows.map((row, index) => [row, rowTop + index * ROW_HEIGHT] as const)
}

/** Draws the background lines: above each lane, at each tick and turn. */
function drawFrame(brush: Brush, scene: Scene, {track, top, height, laneTop}: PlacedTrack): void {
  const {context, palette, ratio} = brush
  const bottom = top + height
  const thin = 1 / Math.min(ratio, 1)
  context.fillStyle = palette.line
  for (const tick of scene.ticks) {
    context.fillRect(snap(toX(scene, tick), ratio), laneTop, thin, bottom - laneTop)
  }
  if (top > 0 && !scene.hasLabelsAbove) context.fillRect(0, top, scene.width, 1)
  if (track.kind !== 'main') return
  context.fillStyle = palette.control
  let last = -Infinity
  for (const turn of scene.turns) {
    const x = toX(scene, turn)
    if (x < 0 || x > scene.width || x - last < 6) continue
    last = x
    for (let y = laneTop; y < bottom; y += 5) context.fillRect(snap(x, ratio), y, thin, 3)
  }
}

function drawModel(brush: Brush, scene: SceneAt, {track, modelY}: PlacedTrack): void {
  const {context, palette, ratio} = brush
  const top = modelY - 1.5
  context.fillStyle = palette.control
  for (const row of track.model.rows) {
    // Adjacent short spans become one line: there may be thousands.
    let line = {left: -Infinity, right: -Infinity}
    const endLine = () => context.fillRect(line.left, top, line.right - line.left, 3)
    visitVisible(row, scene, (cluster) => {
      const sides = toSides(scene, cluster)
      const left = snap(sides.left, ratio)
      const right = Math.max(left + 2, sides.right)
      const isThinking = track.model.spans[row.indices[cluster.first] ?? -1]?.isThinking
      if (isThinking === true && right - left > 5) {
        for (let x = left; x < right - 1; x += 4) context.fillRect(x, top, 2, 3)
      } else if (left <= line.right) line.right = Math.max(line.right, right)
      else {
        if (line.right > line.left) endLine()
        line = {left, right}
      }
    })
    if (line.right > line.left) endLine()
  }
}

/** Failures are drawn last, on top. They are drawn again with open bars, which may overlap them. */
function drawTools(
  brush: Brush,
  scene: SceneAt,
  {track}: PlacedTrack,
  row: SpanRow,
  top: number,
  which: 'open' | 'closed',
): void {
  const {palette} = brush
  const failures: Cluster[] = []
  const strokes = createStrokes(brush, top)
  const draw = (cluster: Cluster) => {
    const span = track.tools.spans[row.indices[cluster.first] ?? -1]
    if (span === undefined) return
    const sides = toSides(scene, cluster)
    const color = palette.kinds[WORK[span.tool].kind]
    if (cluster.failed === 0 && strokes.add(sides.left, sides.right, color.edge)) return
    drawBar(brush, {
      ...sides,
      top,
      color,
      hasFailed: cluster.failed > 0,
      isOpen: cluster.end === Infinity,
      isMerged: cluster.count > 1,
      label: cluster.count === 1 && track.kind !== 'fold' ? span.label : undefined,
    })
  }
  visitVisible(row, scene, (cluster) => {
    const isOpen = cluster.end === Infinity
    if (isOpen && which === 'closed') return
    if (cluster.failed > 0) failures.push(cluster)
    else if (isOpen === (which === 'open')) draw(cluster)
  })
  strokes.draw()
  for (const cluster of failures) draw(cluster)
}

function drawWaits(
  brush: Brush,
  scene: SceneAt,
  {track, stripTop}: PlacedTrack,
  which: 'open' | 'closed',
): void {
  for (const row of track.waits.rows) {
    if (which === 'open' && row.open.length === 0) continue
    visitVisible(row, scene, (cluster) => {
      const isOpen = cluster.end === Infinity
      if (isOpen !== (which === 'open')) return
      const end = Math.min(cluster.end, scene.edge)
      const wait = track.waits.spans[row.indices[cluster.first] ?? -1]
      drawWait(brush, {
        ...toSides(scene, cluster),
        top: stripTop,
        isOpen,
        icon: wait && pickWaitIcon(wait),
        text: formatTight(end - cluster.start, isOpen),
      })
    })
  }
}

function pickWaitIcon({kind}: WaitSpan): IconName {
  return kind === 'request' ? 'hand' : NOTICE_STYLES[kind].icon
}

const MARK_ICONS: Readonly<Record<TimelineMark['kind'], IconName>> = {
  plan: 'plan',
  'turn-end': 'flag',
  interrupted: 'stop',
}

const MARK_SIZE = 14

function drawMarks(brush: Brush, scene: Scene, {track, stripTop}: PlacedTrack): void {
  const {context, palette} = brush
  for (const row of track.marks.rows) {
    let last = -Infinity
    visitVisible(row, scene, (cluster) => {
      const mark = track.marks.spans[row.indices[cluster.first] ?? -1]
      const x = Math.round(toX(scene, cluster.start))
      // Overlapping marks are omitted; hovering still shows them.
      if (mark === undefined || x - last < MARK_SIZE - 3) return
      last = x
      const left = x - MARK_SIZE / 2
      context.fillStyle = palette.surface
      context.fillRect(left, stripTop + 1, MARK_SIZE, MARK_SIZE)
      drawIcon(brush, MARK_ICONS[mark.kind], left, stripTop + 1, MARK_SIZE, palette.textSecond)
    })
  }
}

function drawSilence(brush: Brush, scene: SceneAt, {track, stripTop}: PlacedTrack): void {
  const since = track.silentSince
  if (since === undefined || since >= scene.edge) return
  const {context, palette} = brush
  const left = Math.max(0, toX(scene, since))
  const right = Math.min(scene.width, toX(scene, scene.edge))
  if (right <= left) return
  const y = stripTop + BAR_HEIGHT / 2
  const text = `silent ${formatElapsed(scene.edge - since)}`
  context.font = `12px ${palette.sans}`
  const half = context.measureText(text).width / 2 + 8
  const middle = (left + right) / 2
  const hasText = right - left > half * 2 + 16
  context.fillStyle = palette.bad.edge
  for (let x = left; x < right; x += 4) {
    if (!hasText || Math.abs(x - middle) > half) context.fillRect(x, y - 1, 2, 2)
  }
  if (!hasText) return
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, middle, y + 0.5)
}

function drawLine(
  {context, ratio}: Brush,
  scene: Scene,
  {top, height, laneTop}: PlacedTrack,
  time: number,
  color: string,
): void {
  const x = toX(scene, time)
  if (x < 0 || x > scene.width) return
  context.fillStyle = color
  context.fillRect(
    Math.min(snap(x, ratio), scene.width - 1.5),
    laneTop,
    1.5,
    top + height - laneTop,
  )
}

function visitVisible(row: SpanRow, scene: Scene, visit: (cluster: Cluster) => void): void {
  const grid = toGrid(scene)
  // Bars are drawn with a minimum width, and icons extend to the left.
  const margin = (MARK_SIZE + LEAST_WIDTH) * grid.msPerPixel
  mergeSpans(row, grid, scene.view.start - margin, scene.view.end + margin, visit)
}
