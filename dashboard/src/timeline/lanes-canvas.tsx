import {useEffect, useLayoutEffect, useRef, useState, type RefObject} from 'react'
import {CanvasIcons} from './canvas-icons.tsx'
import {createHatch, type Brush} from './draw-bar.ts'
import {drawHistory, drawLive, type LiveState, type Scene} from './draw.ts'
import type {Palette} from '../ui/palette.ts'
import {fitCanvas, useIconPaths, useRatio} from './use-canvas.ts'

/** Two canvases: the static one is drawn when data changes, the moving one four times a second. */
export function LanesCanvas({
  scene,
  live,
  palette,
}: {
  scene: Scene
  live: LiveState
  palette: Palette | undefined
}) {
  const historyCanvas = useRef<HTMLCanvasElement>(null)
  const liveCanvas = useRef<HTMLCanvasElement>(null)
  const iconHolder = useRef<HTMLDivElement>(null)
  const icons = useIconPaths(iconHolder)
  const ratio = useRatio()
  const [brushes, setBrushes] = useState<{history: Brush; live: Brush}>()

  useLayoutEffect(() => {
    const history = historyCanvas.current?.getContext('2d') ?? undefined
    const moving = liveCanvas.current?.getContext('2d') ?? undefined
    if (!history || !moving || palette === undefined || icons === undefined) return
    const toBrush = (context: CanvasRenderingContext2D): Brush => {
      context.font = `11px ${palette.mono}`
      const letterWidth = context.measureText('0').width
      const hatch = createHatch(context, palette, ratio)
      return {context, palette, icons, hatch, letterWidth, ratio}
    }
    setBrushes({history: toBrush(history), live: toBrush(moving)})
  }, [palette, icons, ratio])

  useLayoutEffect(() => {
    if (brushes === undefined || scene.width === 0) return
    fitCanvas(brushes.history.context.canvas, scene, brushes.history.ratio)
    drawHistory(brushes.history, scene)
  }, [brushes, scene])

  const tick = useRef({now: live.now, at: 0})
  const paintLive = useRef<() => void>(undefined)
  useLayoutEffect(() => {
    if (live.now !== tick.current.now || tick.current.at === 0) {
      tick.current = {now: live.now, at: performance.now()}
    }
    if (brushes === undefined || scene.width === 0) return
    const brush = brushes.live
    fitCanvas(brush.context.canvas, scene, brush.ratio)
    paintLive.current = () => {
      // The clock advances between two ticks, but not for long: the next tick may never come.
      const passed = Math.min(performance.now() - tick.current.at, 1500)
      drawLive(brush, scene, live.now === undefined ? live : addTime(live, passed))
    }
    paintLive.current()
  }, [brushes, scene, live])
  useRepaint(paintLive, live.now !== undefined)

  const style = {top: scene.top, width: scene.width, height: scene.height}
  return (
    <>
      <canvas ref={historyCanvas} style={style} />
      <canvas ref={liveCanvas} style={style} />
      <CanvasIcons ref={iconHolder} />
    </>
  )
}

function addTime(live: LiveState, ms: number): LiveState {
  const {edge, now} = live
  return {...live, edge: edge + ms, now: now === undefined ? undefined : now + ms}
}

const INTERVAL = 250
const HIDDEN_INTERVAL = 1000

/** Repaints while the run continues, less often while the page is hidden. */
function useRepaint(paint: RefObject<(() => void) | undefined>, isLive: boolean): void {
  useEffect(() => {
    if (!isLive) return undefined
    let timer: ReturnType<typeof setInterval> | undefined
    const start = () => {
      clearInterval(timer)
      timer = setInterval(() => paint.current?.(), document.hidden ? HIDDEN_INTERVAL : INTERVAL)
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', start)
    }
  }, [paint, isLive])
}
