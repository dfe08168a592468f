import type {ReactNode} from 'react'
import {classNames} from './class-names.ts'
import styles from './icon.module.css'

/** For shapes that are filled instead of stroked. */
const FILLED = {fill: 'currentColor', stroke: 'none'}

/** The icons on a grid of 16, stroked in the current text colour. */
const DRAWINGS = {
  bash: <path d="M2.5 4.5 6 8l-3.5 3.5M8 12h5.5" />,
  read: <path d="M4 1.75h5.5L12.5 5v9.25H4zM6.5 7.5H10M6.5 10.5H10" />,
  edit: <path d="M2.5 13.5l.7-3.2 7.6-7.6 2.5 2.5-7.6 7.6zM9.2 4.3l2.5 2.5" />,
  write: <path d="M4 1.75h5.5L12.5 5v9.25H4zM8.25 7v4.5M6 9.25h4.5" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="M10.25 10.25 14 14" />
    </>
  ),
  web: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12" />
    </>
  ),
  mcp: <path d="M5.5 2v3.5M10.5 2v3.5M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0zM8 12.5V15" />,
  task: (
    <>
      <circle cx="4" cy="3.5" r="1.75" />
      <circle cx="12" cy="8" r="1.75" />
      <circle cx="12" cy="13" r="1.75" />
      <path d="M4 5.25V11a2 2 0 0 0 2 2h4.25M4 8h6.25" />
    </>
  ),
  plan: <path d="M2 4l1.25 1.25L5.5 3M2 11l1.25 1.25L5.5 10M8 4.25h6M8 11.25h6" />,
  think: (
    <>
      <circle cx="8" cy="8" r="6" strokeDasharray="1.6 2.17" />
      <circle {...FILLED} cx="8" cy="8" r="1.4" />
    </>
  ),
  text: <path d="M2.5 4h11M2.5 8h11M2.5 12h6.5" />,
  user: (
    <>
      <circle cx="8" cy="5" r="2.75" />
      <path d="M2.75 14c.4-3 2.6-4.5 5.25-4.5s4.85 1.5 5.25 4.5" />
    </>
  ),
  hourglass: (
    <path d="M4 1.75h8M4 14.25h8M5 1.75c0 4 2.2 4.6 2.2 6.25S5 10.25 5 14.25M11 1.75c0 4-2.2 4.6-2.2 6.25s2.2 2.25 2.2 6.25" />
  ),
  hand: (
    <path d="M4.5 8.5V4a1 1 0 0 1 2 0v3M6.5 7V2.75a1 1 0 0 1 2 0V7M8.5 7V3.5a1 1 0 0 1 2 0V8M10.5 8V5.5a1 1 0 0 1 2 0v4.25c0 2.75-1.75 4.5-4.25 4.5-2 0-3-.75-4-2.5L2.6 9.1a1 1 0 0 1 1.65-1.1l1 1.25" />
  ),
  retry: <path d="M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.7M13.5 2.2v3.5H10" />,
  gauge: (
    <>
      <path d="M2.5 12.5a6.25 6.25 0 1 1 11 0M8 9.5l2.75-3.5" />
      <circle {...FILLED} cx="8" cy="9.5" r="1.2" />
    </>
  ),
  stuck: (
    <>
      <path d="M8 2 14.5 13.5h-13zM8 6.5v3.25" />
      <circle {...FILLED} cx="8" cy="11.6" r=".9" />
    </>
  ),
  fail: (
    <path d="M5.3 1.75h5.4l3.55 3.55v5.4l-3.55 3.55H5.3L1.75 10.7V5.3zM5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5" />
  ),
  ok: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M5.25 8.25 7.2 10.2l3.6-4" />
    </>
  ),
  stop: <rect x="3.5" y="3.5" width="9" height="9" rx="1" />,
  timeout: (
    <>
      <circle cx="8" cy="9" r="5.25" />
      <path d="M8 6v3l2 1.5M6 1.75h4M2.5 3 13.5 15" />
    </>
  ),
  cutoff: <path d="M3 1.75h10v5l-2 1.5-2-1.5-2 1.5-2-1.5-2 1.5zM3 12.25h2M7 12.25h2M11 12.25h2" />,
  budget: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M10 5.75C9.5 5 8.8 4.75 8 4.75c-1.2 0-2 .6-2 1.55 0 2.2 4.1 1.1 4.1 3.4 0 .95-.9 1.55-2.1 1.55-.9 0-1.7-.35-2.2-1.1M8 3.5v1.25M8 11.25v1.25" />
    </>
  ),
  compact: (
    <path d="M8 1.75v4.5M5.75 4.25 8 6.5l2.25-2.25M8 14.25v-4.5M5.75 11.75 8 9.5l2.25 2.25M2 8h12" />
  ),
  swap: <path d="M3 5.5h9.5M10 2.75l2.75 2.75L10 8.25M13 10.5H3.5M6 7.75 3.25 10.5 6 13.25" />,
  flag: <path d="M3.5 14.5v-12h8.75L10 6l2.25 3.5H3.5" />,
  files: <path d="M5.5 1.75H10L13 5v7H5.5zM3 4.5v9.75h7.5" />,
  chart: <path d="M2 14h12M4 11V8M8 11V3.5M12 11V6.5" />,
  raw: (
    <path d="M6 2C4 2 4.5 4 4.5 5.5S4 8 2.5 8C4 8 4.5 9 4.5 10.5S4 14 6 14M10 2c2 0 1.5 2 1.5 3.5S12 8 13.5 8c-1.5 0-2 1-2 2.5S12 14 10 14" />
  ),
  time: <path d="M2 3.5h6M5 7h7M4 10.5h4M9 14h5" />,
  sun: (
    <>
      <circle cx="8" cy="8" r="3" />
      <path d="M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3" />
    </>
  ),
  moon: <path d="M13.5 9.5A6 6 0 1 1 6.5 2.5a4.75 4.75 0 0 0 7 7z" />,
  chev: <path d="M6 3.5 10.5 8 6 12.5" />,
  down: <path d="M8 2.5v10M4 8.75l4 4 4-4" />,
  dots: (
    <>
      <circle {...FILLED} cx="3.5" cy="8" r="1.25" />
      <circle {...FILLED} cx="8" cy="8" r="1.25" />
      <circle {...FILLED} cx="12.5" cy="8" r="1.25" />
    </>
  ),
  circle: <circle cx="8" cy="8" r="5.5" />,
  'circle-minus': (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M5 8h6" />
    </>
  ),
  dot: <circle {...FILLED} cx="8" cy="8" r="4" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 5.5V3.5a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
    </>
  ),
  pause: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  play: <path d="M5 3l8 5-8 5z" />,
  unplug: (
    <path d="M3 13l2-2M5.5 5.5l5 5-1.5 1.5a3.5 3.5 0 0 1-5-5zM9 3.5 8 4.5M12.5 7l-1 1M13 3l-2 2" />
  ),
  list: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  archive: <path d="M2 3h12v3H2zM3.25 6v7.25h9.5V6M6.25 8.75h3.5" />,
  import: <path d="M8 2v7.5M5 6.75 8 9.75l3-3M2.5 10.5v3h11v-3" />,
  eye: (
    <>
      <path d="M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8C13 11 10.7 12.5 8 12.5S3 11 1.5 8z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  term: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" />
      <path d="M4.5 6l2 2-2 2M8.5 10.25h3" />
    </>
  ),
  folder: <path d="M1.75 13V3.5h4.5l1.5 2h6.5V13z" />,
  price: (
    <>
      <path d="M8.25 2H14v5.75L7.5 14.25 1.75 8.5z" />
      <circle {...FILLED} cx="11.25" cy="4.75" r="1" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.5V8l2.5 1.75" />
    </>
  ),
  table: <path d="M2 3h12v10H2zM2 6.5h12M2 9.75h12M6.5 3v10" />,
} as const satisfies Record<string, ReactNode>

/** The name of an icon. */
export type IconName = keyof typeof DRAWINGS

/** An icon: decorative beside a word, or alone with a label. */
export function Icon({name, label, size = 16}: {name: IconName; label?: string; size?: 14 | 16}) {
  const naming = label === undefined ? {'aria-hidden': true} : {role: 'img', 'aria-label': label}
  return (
    <svg
      className={classNames(styles.icon, size === 14 && styles.small)}
      viewBox="0 0 16 16"
      {...naming}
    >
      {DRAWINGS[name]}
    </svg>
  )
}
