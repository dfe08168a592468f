import type {Ref} from 'react'
import {Icon, type IconName} from '../ui/icon.tsx'
import {NOTICE_STYLES} from '../ui/notice-styles.ts'

/** The icon paths for a canvas. */
export type IconPaths = ReadonlyMap<string, {stroke: Path2D; fill: Path2D}>

/** The icons of waits and marks. */
const NAMES = new Set<IconName>([
  ...Object.values(NOTICE_STYLES).map(({icon}) => icon),
  ...(['hand', 'plan', 'flag', 'stop'] as const),
])

/** Hidden icons whose paths are read, so that each icon is defined once. */
export function CanvasIcons({ref}: {ref: Ref<HTMLDivElement>}) {
  return (
    <div ref={ref} hidden>
      {Array.from(NAMES, (name) => (
        <span key={name} data-icon={name}>
          <Icon name={name} />
        </span>
      ))}
    </div>
  )
}

/** Reads the paths of the icons in an element. */
export function readIconPaths(element: HTMLElement): IconPaths {
  const paths = new Map<string, {stroke: Path2D; fill: Path2D}>()
  for (const holder of element.querySelectorAll<HTMLElement>('[data-icon]')) {
    const icon = {stroke: new Path2D(), fill: new Path2D()}
    for (const shape of holder.querySelectorAll('path, circle, rect')) {
      const target = shape.hasAttribute('fill') ? icon.fill : icon.stroke
      target.addPath(toPath(shape))
    }
    paths.set(holder.dataset['icon'] ?? '', icon)
  }
  return paths
}

function toPath(shape: Element): Path2D {
  const read = (name: string) => Number(shape.getAttribute(name) ?? 0)
  if (shape.tagName === 'path') return new Path2D(shape.getAttribute('d') ?? '')
  const path = new Path2D()
  if (shape.tagName === 'circle') path.arc(read('cx'), read('cy'), read('r'), 0, 2 * Math.PI)
  else path.rect(read('x'), read('y'), read('width'), read('height'))
  return path
}
