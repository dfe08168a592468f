import {useEffect, useState, useSyncExternalStore, type RefObject} from 'react'
import {readIconPaths, type IconPaths} from './canvas-icons.tsx'
import {readPalette, type Palette} from '../ui/palette.ts'
import {watchTheme} from '../ui/theme.ts'

/** The current colours, read once per theme. Undefined before the first paint. */
export function usePalette(ref: RefObject<HTMLElement | null>): Palette | undefined {
  const [palette, setPalette] = useState<Palette>()
  useEffect(() => {
    const read = () => {
      if (ref.current !== null) setPalette(readPalette(ref.current))
    }
    read()
    return watchTheme(read)
  }, [ref])
  return palette
}

/** The paths of icons for a canvas. */
export function useIconPaths(ref: RefObject<HTMLElement | null>): IconPaths | undefined {
  const [paths, setPaths] = useState<IconPaths>()
  useEffect(() => {
    if (ref.current !== null) setPaths(readIconPaths(ref.current))
  }, [ref])
  return paths
}

/** The current width and height of an element. */
export function useSize(ref: RefObject<HTMLElement | null>): {width: number; height: number} {
  const [size, setSize] = useState({width: 0, height: 0})
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => {
      setSize({width: element.clientWidth, height: element.clientHeight})
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return size
}

/** Device pixels per CSS pixel; changes when a window moves to another screen. */
export function useRatio(): number {
  return useSyncExternalStore(watchRatio, () => devicePixelRatio)
}

function watchRatio(onChange: () => void): () => void {
  const stop = new AbortController()
  // A media query only reports that this ratio ended, so the next one needs a new query.
  const watch = () => {
    const list = matchMedia(`(resolution: ${devicePixelRatio}dppx)`)
    const onEnd = () => {
      watch()
      onChange()
    }
    list.addEventListener('change', onEnd, {once: true, signal: stop.signal})
  }
  watch()
  return () => stop.abort()
}

/** Sizes a canvas in device pixels. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  {width, height}: {width: number; height: number},
  ratio: number,
): void {
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)]
  // Setting a size clears the canvas and is slow, even without a change.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight
}
