import {useEffect, useRef, type PointerEvent} from 'react'
import {mergeSpans, type Cluster} from './merge-spans.ts'
import styles from './overview.module.css'
import type {SpanRow} from './pack-rows.ts'
import type {Palette} from '../ui/palette.ts'
import type {View} from '../ui/scale.ts'
import {WORK} from '../ui/work.ts'
import type {Track} from './tracks.ts'
import {fitCanvas, useRatio, useSize} from './use-canvas.ts'

interface OverviewContent {
  tracks: readonly Track[]
  palette: Palette
  fit: View
  edge: number
}

/** The complete run as a thin strip, with a draggable window over the visible range. */
export function Overview({
  view,
  onMove,
  ...content
}: OverviewContent & {
  view: View
  onMove: (start: number) => void
}) {
  const {tracks, palette, fit} = content
  const holder = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const grip = useRef(0)
  const painted = useRef(0)
  const {width} = useSize(holder)
  const ratio = useRatio()

  useEffect(() => {
    // Once a second is enough for an overview while records arrive.
    const wait = Math.max(0, painted.current + 1000 - performance.now())
    const timer = setTimeout(() => {
      painted.current = performance.now()
      if (canvas.current === null || width === 0) return
      fitCanvas(canvas.current, {width, height: HEIGHT}, ratio)
      drawOverview(canvas.current, content, width, ratio)
    }, wait)
    return () => clearTimeout(timer)
    // The moving parts are drawn with the next change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [tracks, palette, fit.start, fit.end, width, ratio])

  const toTime = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return fit.start + ((event.clientX - box.left) / box.width) * (fit.end - fit.start)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const time = toTime(event)
    const isInside = time >= view.start && time <= view.end
    grip.current = isInside ? time - view.start : (view.end - view.start) / 2
    event.currentTarget.setPointerCapture(event.pointerId)
    onMove(time - grip.current)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(toTime(event) - grip.current)
  }
  const share = (time: number) => `${((time - fit.start) / (fit.end - fit.start)) * 100}%`
  return (
    <div
      className={styles.overview}
      ref={holder}
      aria-hidden
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    >
      <canvas ref={canvas} />
      <b
        className={styles.visibleRange}
        style={{left: share(view.start), width: share(fit.start + view.end - view.start)}}
      />
    </div>
  )
}

const HEIGHT = 12

function drawOverview(
  canvas: HTMLCanvasElement,
  {tracks, palette, fit, edge}: OverviewContent,
  width: number,
  ratio: number,
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, HEIGHT)
  const msPerPixel = (fit.end - fit.start) / width
  const draw = (row: SpanRow, pick: (cluster: Cluster) => string | undefined) => {
    mergeSpans(row, {origin: fit.start, msPerPixel}, fit.start, fit.end, (cluster) => {
      const color = pick(cluster)
      if (color === undefined) return
      const left = (cluster.start - fit.start) / msPerPixel
      const right = (Math.min(cluster.end, edge) - fit.start) / msPerPixel
      context.fillStyle = color
      context.fillRect(left, 3, Math.max(1, right - left), HEIGHT - 6)
    })
  }
  for (const {kind, tools, waits} of tracks) {
    if (kind === 'background') continue
    for (const row of tools.rows) {
      draw(
        row,
        ({first}) =>
          palette.kinds[WORK[tools.spans[row.indices[first] ?? -1]?.tool ?? 'Other'].kind].edge,
      )
    }
    for (const row of waits.rows) draw(row, () => palette.wait.edge)
  }
  for (const {tools} of tracks) {
    for (const row of tools.rows)
      draw(row, ({failed}) => (failed > 0 ? palette.bad.edge : undefined))
  }
}
