import {useEffect, useState, useSyncExternalStore, type RefObject} from 'react'
import {readIconPaths, type IconPaths} from './canvas-icons.tsx'
import {readPalette, watchTheme, type Palette} from '../ui/palette.ts'

/** The colours in force, read once for each theme. Nothing before the first paint. */
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

/** The drawings of icons for a canvas. */
export function useIconPaths(ref: RefObject<HTMLElement | null>): IconPaths | undefined {
  const [paths, setPaths] = useState<IconPaths>()
  useEffect(() => {
    if (ref.current !== null) setPaths(readIconPaths(ref.current))
  }, [ref])
  return paths
}

/** The width and height of an element, as they change. */
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

/** Device pixels for each pixel of the page; changes when a window moves to another screen. */
export function useRatio(): number {
  return useSyncExternalStore(watchRatio, () => devicePixelRatio)
}

function watchRatio(onChange: () => void): () => void {
  const stop = new AbortController()
  // A query tells only that this ratio is no more, so the next one needs another.
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

/** Gives a canvas as many pixels as its place on the screen has. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  {width, height}: {width: number; height: number},
  ratio: number,
): void {
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)]
  // Setting a size wipes the canvas and is slow, even when it is the same.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight
}
