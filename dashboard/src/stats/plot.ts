import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import {readColors, type BarColor} from '../ui/palette.ts'
import {formatTick, pickTicks} from '../ui/scale.ts'
import {watchTheme} from '../ui/theme.ts'
import type {ChartLines} from './spending-lines.ts'

/** The colour of a line: of a kind of work, or the accent. */
export type LineColor = 'accent' | 'read' | 'edit' | 'shell' | 'web' | 'agent'

/** The data of a chart. */
export interface PlotContent {
  data: ChartLines
  /** The length of the time axis, in milliseconds. */
  span: number
  /** The maximum of the value axis. */
  top: number
  /** Moments marked with a vertical line. */
  marks: readonly number[]
}

/** The constant options of a chart. */
export interface PlotOptions {
  colors: readonly LineColor[]
  formatValue(value: number): string
  /** The pointer position on this chart or on one beside it. */
  onPoint(point: PlotPoint | undefined): void
}

/** A position on a chart. */
export interface PlotPoint {
  /** In pixels from the left edge. */
  x: number
  /** In milliseconds from the start. */
  time: number
  /** Whether there is more space to the left than to the right. */
  isRight: boolean
}

/** A drawn chart. */
export interface Plot {
  update(content: PlotContent): void
  destroy(): void
}

const AXIS = 48
const FOOT = 20
const RIGHT = 16
/** The approximate width of a figure. */
const DIGIT = 7

/** Draws a chart into an element, at its size and in the colours of the theme. */
export function createPlot(box: HTMLElement, options: PlotOptions): Plot {
  let content: PlotContent = {data: {times: [], lines: []}, span: 1, top: 1, marks: []}
  let plot = draw()
  const stopWatching = watchTheme(() => {
    plot.destroy()
    plot = draw()
  })
  const observer = new ResizeObserver(() => {
    const {clientWidth: width, clientHeight: height} = box
    if (width > 0 && (width !== plot.width || height !== plot.height)) plot.setSize({width, height})
  })
  observer.observe(box)
  return {
    update(next) {
      content = next
      plot.setData(toData(content.data))
    },
    destroy() {
      observer.disconnect()
      stopWatching()
      plot.destroy()
    },
  }

  function draw(): uPlot {
    const {stroke, line, mark, font, bars} = readColors(box, ({read, readBar, style}) => ({
      stroke: read('var(--t3)'),
      line: read('var(--line)'),
      mark: read('var(--wait)'),
      font: `11px ${style.fontFamily}`,
      bars: options.colors.map((color) => readBar(`--${color}`)),
    }))
    return new uPlot(
      {
        width: Math.max(1, box.clientWidth),
        height: box.clientHeight,
        padding: [8, RIGHT, 0, 0],
        legend: {show: false},
        cursor: {
          y: false,
          points: {show: false},
          drag: {x: false, y: false, setScale: false},
          // All charts of the page share one time axis.
          sync: {key: 'stats', scales: ['x', null]},
        },
        scales: {
          x: {time: false, range: () => [0, content.span]},
          y: {range: () => [0, content.top]},
        },
        axes: [
          {
            stroke,
            font,
            size: FOOT,
            gap: 4,
            grid: {show: false},
            ticks: {show: false},
            splits: (self) => [...tick(self).times],
            values: (self, times) => nameTicks(times, tick(self).step, widthOf(self)),
          },
          {
            stroke,
            font,
            size: AXIS,
            gap: 6,
            grid: {stroke: line, width: 1},
            ticks: {show: false},
            splits: () => [0, content.top / 2, content.top],
            // The first tick would collide with the value axis.
            values: (_, values) =>
              values.map((value) => (value === 0 ? '' : shorten(options.formatValue(value)))),
          },
        ],
        series: [{}, ...bars.map(toSeries)],
        hooks: {
          draw: [(self) => drawMarks(self, content.marks, mark)],
          setCursor: [(self) => options.onPoint(toPoint(self, content.span))],
        },
      },
      toData(content.data),
      box,
    )
  }

  function tick({width}: uPlot) {
    return pickTicks({start: 0, end: content.span}, 0, width - AXIS - RIGHT, 64)
  }

  /** Labels that do not fit at the right are omitted. */
  function nameTicks(times: readonly number[], step: number, width: number): string[] {
    return times.map((time) => {
      const name = formatTick(time, step)
      const room = (1 - time / content.span) * width + RIGHT
      return room < (name.length * DIGIT) / 2 ? '' : name
    })
  }
}

function toData({times, lines}: ChartLines): uPlot.AlignedData {
  return [[...times], ...lines.map((line) => [...line])]
}

function toSeries({edge, fill}: BarColor): uPlot.Series {
  const stepped = uPlot.paths.stepped?.({align: 1})
  return {
    stroke: edge,
    fill,
    width: 1.5,
    points: {show: false},
    ...(stepped !== undefined && {paths: stepped}),
  }
}

function drawMarks(self: uPlot, marks: readonly number[], color: string): void {
  const {ctx, bbox} = self
  ctx.save()
  ctx.strokeStyle = color
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio])
  ctx.beginPath()
  for (const mark of marks) {
    const x = Math.round(self.valToPos(mark, 'x', true))
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
  }
  ctx.stroke()
  ctx.restore()
}

function widthOf({bbox}: uPlot): number {
  return bbox.width / devicePixelRatio
}

/** Round numbers without trailing zeros: `$20`, `1M`. */
function shorten(figure: string): string {
  return figure.replace(/\.0+(?=\D|$)/, '')
}

function toPoint(self: uPlot, span: number): PlotPoint | undefined {
  const {left = -1} = self.cursor
  const width = widthOf(self)
  if (left < 0 || width <= 0) return undefined
  return {
    x: self.bbox.left / devicePixelRatio + left,
    time: (left / width) * span,
    isRight: left > width / 2,
  }
}
