import {useEffect, type ReactNode} from 'react'
import {setPageTitle} from './title.ts'

/** The content of a page between the bars. */
export function Page({
  title,
  className,
  isFullHeight = false,
  children,
}: {
  /** The title of the tab. */
  title: string
  className?: string | undefined
  /** Whether it is as high as the window and only parts of it scroll. */
  isFullHeight?: boolean
  children: ReactNode
}) {
  useEffect(() => setPageTitle(title), [title])
  useEffect(() => {
    hasMoved ||= location.pathname !== first
    // The previous page removed the focused element.
    if (hasMoved && document.activeElement === document.body) focusMain()
  }, [])
  return (
    <main
      id="main"
      tabIndex={-1}
      className={className}
      data-full-height={isFullHeight || undefined}
    >
      {children}
    </main>
  )
}

/** Keyboard and screen reader users continue at the top of the content. */
export function focusMain(): void {
  document.getElementById('main')?.focus({preventScroll: true})
}

/** On the first page load the browser manages the focus. */
const first = location.pathname
let hasMoved = false
