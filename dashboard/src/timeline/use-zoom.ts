import {useCallback, useLayoutEffect, useMemo, useRef, useState} from 'react'
import {toFitView, toView, type View, type Zoom} from '../ui/scale.ts'

/** The visible time range of a run within the complete one, and how to change it. */
export function useZoom(startedAt: number, edge: number, isGrowing: boolean) {
  const [zoom, setZoom] = useState<Zoom>({type: 'fit'})
  const fit = toFitView(startedAt, edge, isGrowing)
  const {start, end} = toView(zoom, fit, edge, isGrowing)
  const view = useMemo(() => ({start, end}), [start, end])
  const latest = useRef({view, fit, edge, isGrowing, frame: 0})

  useLayoutEffect(() => {
    const {frame} = latest.current
    latest.current = {view: frame === 0 ? view : latest.current.view, fit, edge, isGrowing, frame}
  })
  useLayoutEffect(() => () => cancelAnimationFrame(latest.current.frame), [])

  /** Changes before the next frame are merged. */
  const change = useCallback((next: (view: View, fit: View) => Zoom) => {
    const state = latest.current
    const wanted = next(state.view, state.fit)
    state.view = toView(wanted, state.fit, state.edge, state.isGrowing)
    cancelAnimationFrame(state.frame)
    state.frame = requestAnimationFrame(() => {
      latest.current.frame = 0
      setZoom(wanted)
    })
  }, [])

  return {zoom, view, fit, change}
}
