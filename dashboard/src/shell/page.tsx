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
    // The page before this one took the focus with it.
    if (!isFirst && document.activeElement === document.body) focusMain()
    isFirst = false
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

let isFirst = true
