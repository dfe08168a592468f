import {useEffect, type ReactNode} from 'react'
import {setPageTitle} from './title.ts'

/** The content of a page between the bars. */
export function Page({
  title,
  className,
  children,
}: {
  /** The title of the tab. */
  title: string
  className?: string | undefined
  children: ReactNode
}) {
  useEffect(() => setPageTitle(title), [title])
  useEffect(() => {
    hasMoved ||= location.pathname !== first
    // The previous page removed the focused element.
    if (hasMoved && document.activeElement === document.body) focusMain()
  }, [])
  return (
    <main id="main" tabIndex={-1} className={className}>
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
