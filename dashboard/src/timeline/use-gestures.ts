import {useEffect, type RefObject} from 'react'
import {useLatest} from '../ui/use-latest.ts'

/** Gestures on the timeline. Positions are pixels from the left and the top of the drawing. */
export interface Gestures {
  onZoom: (factor: number, x: number) => void
  /** Pans by pixels; returns whether anything moved. */
  onPan: (pixels: number) => boolean
  onTap: (x: number, y: number, isTouch: boolean) => void
  onHover: (place: {x: number; y: number} | undefined) => void
  /** Whether the replay handle is at a position, to be dragged. */
  isHead: (x: number) => boolean
  onSeek: (x: number) => void
}

const TAP_DISTANCE = 5

/** Listens to wheel, mouse and touch on an element. */
export function useGestures(ref: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useLatest(gestures)
  useEffect(() => {
    const element = ref.current
    return element === null ? undefined : listen(element, () => latest.current)
  }, [ref, latest])
}

interface Point {
  x: number
  y: number
}

function listen(element: HTMLElement, get: () => Gestures): () => void {
  const pointers = new Map<number, Point>()
  let mode: 'none' | 'pressed' | 'pan' | 'pinch' | 'seek' = 'none'
  let pressed: Point = {x: 0, y: 0}
  const stop = new AbortController()
  const {signal} = stop
  const place = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect()
    return {x: event.clientX - box.left, y: event.clientY - box.top}
  }

  const onWheel = (event: WheelEvent) => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault()
      const delta = Math.max(-60, Math.min(event.deltaY * unit, 60))
      get().onZoom(Math.exp(delta * 0.005), place(event).x)
      return
    }
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX
    const isAcross = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    if (isAcross && get().onPan(across * unit)) event.preventDefault()
  }

  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return
    const point = place(event)
    pointers.set(event.pointerId, point)
    pressed = point
    get().onHover(undefined)
    if (pointers.size > 1) mode = 'pinch'
    else if (get().isHead(point.x)) {
      mode = 'seek'
      element.setPointerCapture(event.pointerId)
    } else mode = 'pressed'
  }

  const onMove = (event: PointerEvent) => {
    const point = place(event)
    const before = pointers.get(event.pointerId)
    if (before === undefined) {
      if (event.pointerType === 'mouse') get().onHover(point)
      return
    }
    if (mode === 'pressed' && Math.hypot(point.x - pressed.x, point.y - pressed.y) > TAP_DISTANCE) {
      mode = 'pan'
      element.setPointerCapture(event.pointerId)
    }
    if (mode === 'seek') get().onSeek(point.x)
    if (mode === 'pan') get().onPan(before.x - point.x)
    if (mode === 'pinch') pinch(event.pointerId, before, point)
    pointers.set(event.pointerId, point)
  }

  const pinch = (id: number, before: Point, point: Point) => {
    const other = [...pointers].find(([otherId]) => otherId !== id)?.[1]
    if (other === undefined) return
    const was = Math.max(20, Math.abs(before.x - other.x))
    const is = Math.max(20, Math.abs(point.x - other.x))
    get().onZoom(was / is, (point.x + other.x) / 2)
    get().onPan((before.x - point.x) / 2)
  }

  const onUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    if (mode === 'pressed' && event.type === 'pointerup') {
      const point = place(event)
      get().onTap(point.x, point.y, event.pointerType !== 'mouse')
    }
    // The finger that remains after a pinch neither pans nor taps.
    mode = 'none'
  }

  element.addEventListener('wheel', onWheel, {passive: false, signal})
  element.addEventListener('pointerdown', onDown, {signal})
  element.addEventListener('pointermove', onMove, {signal})
  element.addEventListener('pointerup', onUp, {signal})
  element.addEventListener('pointercancel', onUp, {signal})
  element.addEventListener('pointerleave', () => get().onHover(undefined), {signal})
  return () => stop.abort()
}
