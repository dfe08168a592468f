import {useLayoutEffect, useRef, type ReactNode} from 'react'
import {classNames} from '../ui/class-names.ts'
import styles from './scroll.module.css'

/** A box whose content may be wider, scrollable by keyboard. */
export function Scroll({
  className,
  label,
  children,
}: {
  className: string | undefined
  label: string
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null) markScroller(box.current)
  })
  return (
    // No native element fits a group of lines.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className={classNames(styles.scroll, className)} ref={box} role="group" aria-label={label}>
      {children}
    </div>
  )
}

/** Makes scrollable boxes within an element reachable by keyboard. */
export function markScrollers(element: HTMLElement, selector: string): void {
  for (const box of element.querySelectorAll<HTMLElement>(selector)) markScroller(box)
}

function markScroller(box: HTMLElement): void {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0
  else box.removeAttribute('tabindex')
}
