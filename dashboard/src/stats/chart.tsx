import {useEffect, useRef, useState} from 'react'
import {createLazy, useLazy} from '../ui/lazy.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatOffset} from '../ui/figures.ts'
import styles from './chart.module.css'
import type {LineColor, Plot, PlotContent, PlotPoint} from './plot.ts'

const plotting = createLazy(() => import('./plot.ts'))

/** A value at a moment, with its kind. */
export interface Reading {
  name: string
  value: string
}

/** A chart over the time of a run, with a description in words. */
export function Chart({
  label,
  colors,
  content,
  formatValue,
  readAt,
}: {
  /** The description in words. */
  label: string
  /** One per line; later ones are drawn on top. Constant. */
  colors: readonly LineColor[]
  /** A new object on every change. */
  content: PlotContent
  formatValue(value: number): string
  /** The values at a time from the start; undefined where unknown. */
  readAt(time: number): readonly Reading[]
}) {
  const box = useRef<HTMLDivElement>(null)
  const [plot, setPlot] = useState<Plot>()
  const [point, setPoint] = useState<PlotPoint>()
  const module = useLazy(plotting)
  useEffect(() => {
    if (module === undefined || box.current === null) return undefined
    const drawn = module.createPlot(box.current, {colors, formatValue, onPoint: setPoint})
    setPlot(drawn)
    return drawn.destroy
  }, [module, colors, formatValue])
  useEffect(() => plot?.update(content), [plot, content])
  const readings = point === undefined ? [] : readAt(point.time)
  return (
    <figure className={styles.chart}>
      <figcaption className={common.visuallyHidden}>{label}</figcaption>
      <div className={styles.box} ref={box} aria-hidden="true" />
      {point !== undefined && readings.length > 0 && (
        <div
          className={classNames(styles.tip, point.isRight && styles.isLeft)}
          style={{left: point.x}}
          aria-hidden="true"
        >
          <b>{formatOffset(point.time)}</b>
          {readings.map(({name, value}) => (
            <span key={name}>
              {name} <em>{value}</em>
            </span>
          ))}
        </div>
      )}
    </figure>
  )
}
