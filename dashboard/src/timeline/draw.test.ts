import {expect, test} from 'vitest'
import type {Brush} from './draw-bar.ts'
import {drawHistory, drawLive, type Scene} from './draw.ts'
import {placeTracks} from './place-tracks.ts'
import type {TimelineLane, ToolSpan} from '../model/timeline-data.ts'
import {createTrackBuilder} from './tracks.ts'

test('paints a failure after all bars that could cover it', () => {
  const tools = [
    toTool(0, 10),
    toTool(100, 101, true),
    ...Array.from({length: 50}, (_, index) => toTool(101 + index * 10, 102 + index * 10)),
  ]
  const {brush, painted} = createBrush()
  drawHistory(brush, toScene(tools))
  const fills = painted.filter((color) => color === 'read' || color === 'bad')
  expect(fills.length).toBeGreaterThan(1)
  expect(fills.indexOf('bad')).toBe(fills.length - 1)
})

test('an open bar does not cover a failure', () => {
  const scene = toScene([toTool(0, undefined), toTool(5000, 5001, true)], 'agent')
  const history = createBrush()
  drawHistory(history.brush, scene)
  expect(history.painted).toContain('bad')
  expect(history.painted).not.toContain('read')
  const live = createBrush()
  drawLive(live.brush, scene, {edge: 9000, now: 9000, cursor: undefined, outlines: []})
  const fills = live.painted.filter((color) => color === 'read' || color === 'bad')
  expect(fills).toEqual(['read', 'bad'])
  expect(live.painted.at(-1)).toBe('now')
})

test('draws at most one mark per pixel for a hundred thousand spans', () => {
  const tools = Array.from({length: 100_000}, (_, index) => toTool(index / 10, index / 10 + 0.05))
  const {brush, painted} = createBrush()
  drawHistory(brush, toScene(tools))
  expect(painted.length).toBeLessThan(2100)
})

function toScene(tools: readonly ToolSpan[], kind: TimelineLane['kind'] = 'main'): Scene {
  const lane = {id: 'x', kind, label: '', detail: '', isDone: false, tools}
  const data = {startedAt: 0, turns: [], lanes: [{...lane, model: [], waits: [], marks: []}]}
  const tracks = createTrackBuilder()(data, {isUnfolded: false, isHeld: false})
  const {placed, height} = placeTracks(tracks, false)
  const view = {start: 0, end: 10_000}
  return {
    placed,
    view,
    width: 1000,
    top: 0,
    height,
    origin: 0,
    ticks: [],
    turns: [],
    hasLabelsAbove: false,
  }
}

function toTool(start: number, end: number | undefined, hasFailed = false): ToolSpan {
  return {id: String(start), start, end, tool: 'Read', label: 'Read', hasFailed}
}

/** A canvas context that only records the used colours. */
function createBrush(): {brush: Brush; painted: string[]} {
  const painted: string[] = []
  let color = ''
  const paint = () => void painted.push(color)
  const context = new Proxy(
    {canvas: {width: 1000, height: 100}, fillRect: paint, fill: paint},
    {
      get: (target, name) => Reflect.get(target, name) ?? (() => undefined),
      set: (_, name, value) => {
        if (name === 'fillStyle') color = String(value)
        return true
      },
    },
  )
  const bar = (edge: string) => ({edge, fill: `${edge} fill`})
  const read = bar('read')
  const palette = {
    surface: 'surface',
    line: 'line',
    control: 'control',
    text: 'text',
    textSecond: 'text',
    accent: 'accent',
    now: 'now',
    bad: bar('bad'),
    wait: bar('wait'),
    hatch: 'hatch',
    kinds: {read, edit: read, shell: read, web: read, agent: read, note: read},
    mono: 'mono',
    sans: 'sans',
  }
  const brush = {palette, icons: new Map(), hatch: 'hatch', letterWidth: 7, ratio: 1}
  return {brush: {...brush, context: context as unknown as CanvasRenderingContext2D}, painted}
}
