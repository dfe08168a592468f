import {useImperativeHandle, useMemo, useRef, useState, type KeyboardEvent, type Ref} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {PHONE, useMedia} from '../ui/use-media.ts'
import {Axis, type ReplayCursor} from './axis.tsx'
import {describeTarget, summarizeTimeline} from './describe.ts'
import {toGrid, type LiveState, type Outline, type Scene} from './draw.ts'
import {findTarget, toId, type Target} from './find-target.ts'
import {LaneLabels} from './lane-labels.tsx'
import {LanesCanvas} from './lanes-canvas.tsx'
import {Overview} from './overview.tsx'
import {BAR_HEIGHT, placeTracks} from './place-tracks.ts'
import {panView, pickTicks, revealInView, zoomView} from '../ui/scale.ts'
import type {TimelineData} from '../model/timeline-data.ts'
import {TimelineBar, type ZoomActions} from './timeline-bar.tsx'
import {TimelineTip} from './timeline-tip.tsx'
import {createTrackBuilder, type Track} from './tracks.ts'
import {usePalette, useSize} from './use-canvas.ts'
import {useGestures} from './use-gestures.ts'
import {useThrottled} from './use-throttled.ts'
import {useZoom} from './use-zoom.ts'
import {findWalked, walkTargets, type Step} from './walk-targets.ts'
import styles from './timeline.module.css'

/** Timeline actions for the keyboard. */
export interface TimelineActions extends ZoomActions {
  /** Scrolls a zoomed view so that a feed entry is visible. */
  reveal: (id: string) => void
}

/** A run over time: a lane for each agent, with model activity, waits and every tool call. */
export function Timeline({
  data: newest,
  selected,
  onSelect,
  now,
  cursor,
  ref,
}: {
  /** A new object on every change; its arrays may be the same ones, grown. */
  data: TimelineData
  selected: string | undefined
  onSelect: (id: string) => void
  /** Set while the run continues. */
  now: number | undefined
  /** The position of a replay. */
  cursor?: ReplayCursor | undefined
  ref?: Ref<TimelineActions> | undefined
}) {
  const data = useThrottled(newest, now === undefined ? 0 : DATA_INTERVAL)
  const section = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const drawing = useRef<HTMLDivElement>(null)
  const [buildTracks] = useState(createTrackBuilder)
  const [isUnfolded, setUnfolded] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const [hover, setHover] = useState<{target: Target; x: number; y: number}>()
  const [walked, setWalked] = useState<Target>()
  const [announcement, setAnnouncement] = useState('')
  const [scrollTop, setScrollTop] = useState(0)
  const isPhone = useMedia(PHONE)
  const palette = usePalette(section)
  const {width} = useSize(drawing)
  const {height: scrollHeight} = useSize(scroller)

  const tracks = useMemo(
    () => buildTracks(data, {isUnfolded, isHeld}),
    [buildTracks, data, isUnfolded, isHeld],
  )
  const {placed, height} = useMemo(() => placeTracks(tracks, isPhone), [tracks, isPhone])
  const edge = cursor?.at ?? data.endedAt ?? now ?? findLatest(tracks, data.startedAt)
  const end = data.endedAt ?? now ?? edge
  const {zoom, view, fit, change} = useZoom(data.startedAt, end, data.endedAt === undefined)
  const ticks = useMemo(
    () => pickTicks(view, data.startedAt, width, isPhone ? 64 : Math.max(80, width / 12)),
    [view, data.startedAt, width, isPhone],
  )
  const chosen = useMemo(() => findWalked(placed, walked, selected), [placed, walked, selected])
  const minute = Math.floor((edge - data.startedAt) / 60_000)
  const summary = useMemo(
    () => summarizeTimeline(data, tracks, data.startedAt + minute * 60_000),
    [data, tracks, minute],
  )

  const band = pickBand(scrollTop, scrollHeight, height)
  const scene: Scene = useMemo(
    () => ({
      placed,
      view,
      width,
      top: band.top,
      height: band.height,
      origin: data.startedAt,
      ticks: ticks.times,
      turns: data.turns,
      hasLabelsAbove: isPhone,
    }),
    [placed, view, width, band.top, band.height, data, ticks, isPhone],
  )
  const head = cursor?.at
  const live: LiveState = useMemo(
    () => ({
      edge,
      now: data.endedAt === undefined && head === undefined ? now : undefined,
      cursor: head,
      outlines: [...toOutlines(chosen), ...toOutlines(hover?.target)],
    }),
    [edge, data.endedAt, now, head, chosen, hover?.target],
  )
  const grid = toGrid(scene)
  const toTime = (x: number) => view.start + x * grid.msPerPixel
  const hit = (x: number, y: number, slop: number) =>
    findTarget(placed, grid, {at: toTime(x), y, edge, slop})
  const seek = (x: number) => {
    cursor?.onSeek(Math.max(data.startedAt, Math.min(toTime(x), Math.max(end, cursor.at))))
  }

  const zoomBy = (factor: number) => {
    change((current, fullView) => {
      const isNowShown = now !== undefined && now >= current.start && now <= current.end
      const anchor = isNowShown ? now : (current.start + current.end) / 2
      return zoomView(current, factor, anchor, fullView)
    })
  }
  const show = ({cluster, top}: Target) => {
    change((current, fullView) => {
      const next = revealInView(current, cluster.start, Math.min(cluster.end, edge), fullView)
      return next === current ? zoom : {type: 'hand', view: next}
    })
    scrollTo(scroller.current, top)
  }
  const actions: TimelineActions = {
    zoomIn: () => zoomBy(1 / 1.5),
    zoomOut: () => zoomBy(1.5),
    fit: () => change(() => ({type: 'fit'})),
    lastFiveMinutes: () => change(() => ({type: 'last'})),
    reveal: (id) => {
      const target = findWalked(placed, undefined, id)
      if (target !== undefined) show(target)
    },
  }
  useImperativeHandle(ref, () => actions)

  useGestures(drawing, {
    onZoom: (factor, x) => {
      setHover(undefined)
      change((current, fullView) => {
        const share = x / Math.max(1, width)
        const anchor = current.start + share * (current.end - current.start)
        return zoomView(current, factor, anchor, fullView)
      })
    },
    onPan: (pixels) => {
      if (zoom.type === 'fit') return false
      setHover(undefined)
      change((current, fullView) =>
        panView(current, (pixels / Math.max(1, width)) * (current.end - current.start), fullView),
      )
      return true
    },
    onTap: (x, y, isTouch) => {
      const target = hit(x, y, isTouch ? 10 : 3)
      const id = target && toId(target)
      if (target === undefined || id === undefined) return
      setWalked(target)
      onSelect(id)
    },
    onHover: (place) => {
      const target = place && hit(place.x, place.y, 2)
      const box = drawing.current?.getBoundingClientRect()
      setHover(target && box && {target, x: box.left + place.x, y: box.top + target.top})
    },
    isHead: (x) =>
      cursor !== undefined && Math.abs(x - (cursor.at - view.start) / grid.msPerPixel) < 6,
    onSeek: seek,
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : STEPS.get(event.key)
    if (step === undefined) return
    event.preventDefault()
    const target = walkTargets(placed, chosen, step)
    const id = target && toId(target)
    if (target === undefined || id === undefined) return
    setWalked(target)
    show(target)
    const {title, detail} = describeTarget(target, data.startedAt, edge)
    setAnnouncement(`${title}, ${detail}`)
    onSelect(id)
  }

  // To a screen reader it is an image with a text; the feed is the accessible form.
  const picture = {role: 'img', 'aria-label': summary, tabIndex: 0, onKeyDown}
  const isEmpty = tracks.every(isTrackEmpty)
  return (
    <section
      className={classNames(styles.timeline, zoom.type !== 'fit' && styles.isZoomed)}
      aria-label="Timeline"
      ref={section}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <TimelineBar zoom={zoom.type} actions={actions} />
      <div
        className={styles.grid}
        ref={scroller}
        hidden={isEmpty}
        onScroll={(event) => {
          setHover(undefined)
          setScrollTop(event.currentTarget.scrollTop)
        }}
      >
        <div className={styles.corner} />
        <Axis
          view={view}
          origin={data.startedAt}
          width={width}
          ticks={ticks}
          cursor={cursor}
          end={end}
        />
        <LaneLabels
          placed={placed}
          isUnfolded={isUnfolded}
          onFold={() => setUnfolded(!isUnfolded)}
        />
        <div className={styles.lanes} ref={drawing} style={{height}} {...picture}>
          <LanesCanvas scene={scene} live={live} palette={palette} />
        </div>
      </div>
      {zoom.type !== 'fit' && palette !== undefined && !isEmpty && (
        <Overview
          tracks={tracks}
          palette={palette}
          fit={fit}
          view={view}
          edge={edge}
          onMove={(start) =>
            change((current, fullView) => panView(current, start - current.start, fullView))
          }
        />
      )}
      {isEmpty && (
        <p className={styles.empty}>
          {data.endedAt === undefined
            ? "Nothing yet. Waiting for the agent's first line."
            : 'The agent printed nothing.'}
        </p>
      )}
      {hover !== undefined && (
        <TimelineTip
          {...describeTarget(hover.target, data.startedAt, edge)}
          x={hover.x}
          y={hover.y}
        />
      )}
      <span className={common.visuallyHidden} aria-live="polite">
        {announcement}
      </span>
    </section>
  )
}

/** How often new records are drawn while a run continues; a replay is drawn immediately. */
const DATA_INTERVAL = 200

const STEPS: ReadonlyMap<string, Step> = new Map([
  ['ArrowLeft', 'previous'],
  ['ArrowRight', 'next'],
  ['ArrowUp', 'up'],
  ['ArrowDown', 'down'],
  ['Home', 'first'],
  ['End', 'last'],
])

function findLatest(tracks: readonly Track[], startedAt: number): number {
  let latest = startedAt
  for (const {tools, model, waits, marks} of tracks) {
    for (const {starts, reach} of [tools, model, waits, marks].flatMap((packed) => packed.rows)) {
      const end = reach.at(-1) ?? startedAt
      latest = Math.max(latest, Number.isFinite(end) ? end : (starts.at(-1) ?? startedAt))
    }
  }
  return latest
}

const BAND_STEP = 64

/** The part of the lanes to draw: all, or more than is visible, so that scrolling rarely redraws. */
function pickBand(scrollTop: number, seen: number, height: number): {top: number; height: number} {
  if (height <= seen + 3 * BAND_STEP) return {top: 0, height}
  const top = Math.max(0, Math.floor(scrollTop / BAND_STEP - 1) * BAND_STEP)
  return {top, height: Math.min(height - top, seen + 3 * BAND_STEP)}
}

const AXIS_HEIGHT = 21

function scrollTo(scroller: HTMLElement | null, top: number): void {
  if (scroller === null) return
  const bottom = top + AXIS_HEIGHT + BAR_HEIGHT + 4
  if (scroller.scrollTop > top - 4) scroller.scrollTop = top - 4
  else if (scroller.scrollTop + scroller.clientHeight < bottom) {
    scroller.scrollTop = bottom - scroller.clientHeight
  }
}

function isTrackEmpty({tools, model, waits, marks, silentSince}: Track): boolean {
  const count = tools.spans.length + model.spans.length + waits.spans.length + marks.spans.length
  return count === 0 && silentSince === undefined
}

function toOutlines(target: Target | undefined): readonly Outline[] {
  if (target === undefined || target.type === 'model') return []
  const {cluster, top, type} = target
  return [{start: cluster.start, end: cluster.end, top, isMark: type === 'marks'}]
}
