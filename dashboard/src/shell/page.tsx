import {useEffect, type ReactNode} from 'react'
import {setPageTitle} from './title.ts'

/** The part of a page that is its own: everything between the bars. */
export function Page({
  title,
  className,
  children,
}: {
  /** For the tab. */
  title: string
  className?: string | undefined
  children: ReactNode
}) {
  useEffect(() => setPageTitle(title), [title])
  useEffect(() => {
    hasMoved ||= location.pathname !== first
    // The page before this one took the focus with it.
    if (hasMoved && document.activeElement === document.body) focusMain()
  }, [])
  return (
    <main id="main" tabIndex={-1} className={className}>
      {children}
    </main>
  )
}

/** Those who hear the page, or go through it by key, go on from the top of what is its own. */
export function focusMain(): void {
  document.getElementById('main')?.focus({preventScroll: true})
}

/** Where the browser came to: there the focus is its own. */
const first = location.pathname
let hasMoved = false
